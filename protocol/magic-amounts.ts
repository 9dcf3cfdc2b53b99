/** Codes of declines by the last three digits of an amount (docs/choices.md, Magic amounts). */
export const MAGIC_DECLINES = {
  901: 'insufficient_funds',
  902: 'expired_card',
  903: 'restricted_card',
  904: 'stolen_card',
  905: 'suspected_fraud',
  906: 'issuer_error',
  907: '3ds_authentication_required',
  908: 'limit_exceeded',
  909: 'risk_declined',
  910: 'gateway_reject',
} as const;

export type MagicDecline = (typeof MAGIC_DECLINES)[keyof typeof MAGIC_DECLINES];

/** Returns the code with which an amount is declined; undefined for an amount that decides nothing. */
export function declineOfMagicAmount(amountMinor: number): MagicDecline | undefined {
  return (MAGIC_DECLINES as Record<number, MagicDecline>)[amountMinor % 1000];
}
