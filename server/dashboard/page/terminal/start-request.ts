interface FormValues {
  type: 'Payment' | 'Refund';
  /** Undefined for text that is no amount. A refund without an amount is a full refund. */
  amountMinor: number | undefined;
  currency: string;
  source: 'Terminal' | 'PointOfSale';
  sessionId: string;
}

/** Returns the call that starts an action (Spec §4.12); undefined while a required value is missing. */
export function actionRequest({ type, amountMinor, currency, source, sessionId }: FormValues) {
  const settings = { receiptPrintingSource: source };
  if (type === 'Refund') {
    if (sessionId.trim() === '') return undefined;
    const amount = amountMinor === undefined ? {} : { amount: amountMinor };
    return { operation: 'refund', body: { paymentSession: { id: sessionId.trim() }, ...amount, settings } };
  }
  if (amountMinor === undefined || amountMinor === 0) return undefined;
  return { operation: 'payment', body: { amounts: { requested: amountMinor }, currency, settings } };
}

/**
 * Outcomes that the last three digits of an amount cause; 920 and 922 on simulated terminals only
 * (docs/choices.md, Magic amounts).
 */
export const MAGIC_AMOUNTS = [
  { digits: 901, effect: 'insufficient funds' },
  { digits: 902, effect: 'expired card' },
  { digits: 903, effect: 'restricted card' },
  { digits: 904, effect: 'stolen card' },
  { digits: 905, effect: 'suspected fraud' },
  { digits: 906, effect: 'issuer error' },
  { digits: 907, effect: '3DS required' },
  { digits: 908, effect: 'limit exceeded' },
  { digits: 909, effect: 'risk declined' },
  { digits: 910, effect: 'gateway reject' },
  { digits: 920, effect: 'no card is presented' },
  { digits: 921, effect: 'command is lost' },
  { digits: 922, effect: 'cardholder presses cancel' },
] as const;

/** Returns the effect of an amount; undefined for an ordinary one. */
export function magicAmountEffect(amountMinor: number): string | undefined {
  return MAGIC_AMOUNTS.find(({ digits }) => amountMinor % 1000 === digits)?.effect;
}

/** Returns the amount with its last three digits replaced. */
export function withEnding(amountMinor: number, digits: number): number {
  return Math.floor(Math.max(0, amountMinor) / 1000) * 1000 + digits;
}
