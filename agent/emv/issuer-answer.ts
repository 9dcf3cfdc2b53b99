import type { ChipResponse } from '../../protocol/messages/card-data.schema.ts';

/** The issuer's authorisation response, with the data for the card. */
export interface IssuerAnswer {
  outcome: 'approved' | 'declined';
  chip?: ChipResponse;
}
