// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

/** Returns the amount that the sums of a payout's calculation add up to. */
export function summed(calculation: Json): number {
  return (
    calculation.paymentsCapturedAmount -
    calculation.paymentsRefundedAmount -
    calculation.paymentsSplitAmount +
    calculation.paymentsSplitRefundedAmount +
    calculation.splitPaymentsAmount -
    calculation.splitPaymentsRefundedAmount +
    calculation.platformFeesCollectedAmount -
    calculation.platformFeesRefundedAmount -
    calculation.platformFeesPaidAmount -
    calculation.processingFeesPaidAmount -
    calculation.chargebacksAmount +
    calculation.chargebackReversalsAmount -
    calculation.platformChargebacksAmount +
    calculation.platformChargebackReversalsAmount +
    calculation.transferredInAmount -
    calculation.transferredOutAmount
  );
}
