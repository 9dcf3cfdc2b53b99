import type { ChipResponse } from '../../protocol/messages/card-data.schema.ts';

/** What the issuer said, for the card. */
export interface IssuerAnswer {
  outcome: 'approved' | 'declined';
  chip?: ChipResponse;
}
