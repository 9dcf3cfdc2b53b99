interface FormValues {
  type: 'Payment' | 'Refund';
  /** Undefined while it is no amount; a refund without one is of the whole. */
  amountMinor: number | undefined;
  currency: string;
  source: 'Terminal' | 'PointOfSale';
  sessionId: string;
}

/** The call that starts an action (Spec §4.12); undefined while something it needs is missing. */
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
