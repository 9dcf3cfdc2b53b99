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
