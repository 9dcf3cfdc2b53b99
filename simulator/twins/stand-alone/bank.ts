import {
  declineInPerson,
  declineOfMagicAmount,
  type InPersonDecline,
  type MagicDecline,
} from '../../../protocol/test-cards.ts';
import type { Card } from '../../cards/card-profile.ts';

/** The bank of the terminal. Returns 0 for an approval, or a result code of ISO 8583 (BMP 27, 01 to 63). */
export interface Bank {
  decide(amountMinor: number, card: Card, nowMs: number): number;
}

/** The result code of each decline. */
const RESULT_CODES: Record<MagicDecline | InPersonDecline, number> = {
  declined_do_not_honour: 5,
  stolen_card: 43,
  insufficient_funds: 51,
  expired_card: 54,
  risk_declined: 57, // not permitted to this cardholder
  suspected_fraud: 59,
  limit_exceeded: 61,
  restricted_card: 62,
  '3ds_authentication_required': 65, // one more authentication wanted
  issuer_error: 91, // issuer does not answer
  gateway_reject: 96, // system malfunction
};
const APPROVED = 0;

export const testBank: Bank = {
  decide(amountMinor, card, nowMs) {
    const masked = card.masked(card.entryModes[0]!);
    // A card is good until the last day of the month that it names (ISO/IEC 7813).
    const isExpired = nowMs >= Date.UTC(Number(masked.expiryYear), Number(masked.expiryMonth));
    const code = declineOfMagicAmount(amountMinor) ?? (isExpired ? 'expired_card' : declineInPerson(masked));
    return code === undefined ? APPROVED : RESULT_CODES[code];
  },
};
