import type { Card } from '../../cards/card-profile.ts';

/** The bank of the terminal. Returns 0 for an approval, or a result code of ISO 8583 (BMP 27, 01 to 63). */
export interface Bank {
  decide(amountMinor: number, card: Card, nowMs: number): number;
}

/** ISO 8583 codes of declines by the last three digits of the amount (docs/choices.md, Magic amounts). */
const MAGIC_DECLINES: Record<number, number> = {
  901: 51, // insufficient funds
  902: 54, // expired card
  903: 62, // restricted card
  904: 43, // stolen card
  905: 59, // suspected fraud
  906: 91, // issuer does not answer
  907: 65, // one more authentication wanted
  908: 61, // limit exceeded
  909: 57, // not permitted to this cardholder
  910: 96, // system malfunction
};

const DO_NOT_HONOUR = 5;
const EXPIRED = 54;
const APPROVED = 0;

export const testBank: Bank = {
  decide(amountMinor, card, nowMs) {
    const magic = MAGIC_DECLINES[amountMinor % 1000];
    if (magic !== undefined) return magic;
    const { expiryMonth, expiryYear } = card.masked(card.entryModes[0]!);
    // A card is good until the last day of the month that it names (ISO/IEC 7813).
    if (nowMs >= Date.UTC(Number(expiryYear), Number(expiryMonth))) return EXPIRED;
    return card.name === 'visa-declined' ? DO_NOT_HONOUR : APPROVED;
  },
};
