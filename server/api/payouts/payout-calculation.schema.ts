import { Currency, Type } from '../../../protocol/schema.ts';

const Sum = (what: string) => Type.Integer({ description: `${what}, in minor units of \`currency\`` });
const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** Sums of a payout calculation, each without its sign (Spec §2.6). */
export const PAYOUT_SUMS = {
  paymentsCapturedAmount: Sum('Total of the captured payments'),
  paymentsRefundedAmount: Sum('Total of the refunded payments'),
  paymentsSplitAmount: Sum('Total that splits of the payments of this account moved to other accounts'),
  paymentsSplitRefundedAmount: Sum('Total that refunds of those splits moved back to this account'),
  splitPaymentsAmount: Sum('Total that splits of the payments of other accounts moved to this account'),
  splitPaymentsRefundedAmount: Sum('Total that refunds of those splits took from this account'),
  platformFeesCollectedAmount: Sum('Total of the platform fees collected'),
  platformFeesRefundedAmount: Sum('Total of the collected platform fees that were refunded'),
  platformFeesPaidAmount: Sum('Total of the platform fees paid, less those refunded to this account'),
  processingFeesPaidAmount: Sum('Total of the processing fees'),
  chargebacksAmount: Sum('Total of the chargebacks'),
  chargebackReversalsAmount: Sum('Total of the reversed chargebacks'),
  platformChargebacksAmount: Sum('Total of the chargebacks of sub accounts that the platform covered'),
  platformChargebackReversalsAmount: Sum('Total of those chargebacks that were reversed'),
  transferredInAmount: Sum(
    'Total of the transfers to this account, of adjustments such as conversions and amounts carried over, and of returned payouts',
  ),
  transferredOutAmount: Sum(
    'Total of the transfers from this account, and of adjustments such as conversions and amounts carried over',
  ),
};
export type PayoutSum = keyof typeof PAYOUT_SUMS;

export const PAYOUT_COUNTS = {
  numberOfPaymentsCaptured: Count('Number of captures'),
  numberOfPaymentsRefunded: Count('Number of refunds'),
  numberOfPaymentsSplit: Count('Number of splits that moved money to other accounts'),
  numberOfPaymentsSplitRefunded: Count('Number of refunds of those splits'),
  numberOfSplitPayments: Count('Number of splits that moved money to this account'),
  numberOfSplitPaymentsRefunded: Count('Number of refunds of those splits'),
  numberOfPlatformFeesCollected: Count('Number of platform fees collected'),
  numberOfPlatformFeesRefunded: Count('Number of collected platform fees that were refunded'),
  numberOfChargebacks: Count('Number of chargebacks'),
  numberOfChargebackReversals: Count('Number of reversed chargebacks'),
  numberOfPlatformChargebacks: Count('Number of chargebacks of sub accounts that the platform covered'),
  numberOfPlatformChargebackReversals: Count('Number of those chargebacks that were reversed'),
  numberOfTransfersIn: Count('Number of transfers to this account'),
  numberOfTransfersOut: Count('Number of transfers from this account'),
  numberOfCustomers: Count('Number of customers who paid'),
  numberOfNewCustomers: Count('Number of customers who paid for the first time'),
};
export type PayoutCount = keyof typeof PAYOUT_COUNTS;

/** The totals that make up a payout: Spec §2.6. */
export const PayoutCalculation = Type.Object(
  {
    ...PAYOUT_SUMS,
    payoutAmount: Type.Integer({
      description: 'Amount of the payout, in minor units of `currency`. The sums above add up to it.',
    }),
    currency: Currency,
    ...PAYOUT_COUNTS,
  },
  { title: 'PayoutCalculation', description: 'Totals that make up a payout, each without its sign' },
);
