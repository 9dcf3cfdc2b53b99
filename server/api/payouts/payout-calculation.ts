import type { BalanceTransactionType } from '../ledger/ledger.ts';
import { PAYOUT_COUNTS, PAYOUT_SUMS, type PayoutCount, type PayoutSum } from './payout-calculation.schema.ts';
import type { PayoutTotal } from '../ledger/balance-transaction.records.ts';
import { keysOf, tableOf } from '../../../protocol/tables.ts';

type Calculation = Record<PayoutSum | PayoutCount | 'payoutAmount', number> & { currency: string };

/** The sum that a type of balance transaction counts towards, its sign there, and its counter. */
interface CalculationRule {
  sum: PayoutSum;
  sign: 1 | -1;
  count?: PayoutCount;
}

const rule = (sum: PayoutSum, sign: 1 | -1, count?: PayoutCount): CalculationRule => ({
  sum,
  sign,
  ...(count && { count }),
});

/**
 * By type and direction, so that the sums add up to the payout amount. A refunded platform fee reduces the fees paid.
 * Conversions, what is carried over between payouts, and payouts that came back have no sum of their own in the
 * specification: they are transferred in or out, and are not counted as transfers.
 */
const CALCULATION_RULES: Partial<Record<`${BalanceTransactionType} ${'in' | 'out'}`, CalculationRule>> = {
  'TransactionCapture in': rule('paymentsCapturedAmount', 1, 'numberOfPaymentsCaptured'),
  'TransactionRefund out': rule('paymentsRefundedAmount', -1, 'numberOfPaymentsRefunded'),
  'SplitPayment out': rule('paymentsSplitAmount', -1, 'numberOfPaymentsSplit'),
  'SplitPaymentRefund in': rule('paymentsSplitRefundedAmount', 1, 'numberOfPaymentsSplitRefunded'),
  'SplitPayment in': rule('splitPaymentsAmount', 1, 'numberOfSplitPayments'),
  'SplitPaymentRefund out': rule('splitPaymentsRefundedAmount', -1, 'numberOfSplitPaymentsRefunded'),
  'PlatformFee in': rule('platformFeesCollectedAmount', 1, 'numberOfPlatformFeesCollected'),
  'PlatformFeeRefund out': rule('platformFeesRefundedAmount', -1, 'numberOfPlatformFeesRefunded'),
  'PlatformFee out': rule('platformFeesPaidAmount', -1),
  'PlatformFeeRefund in': rule('platformFeesPaidAmount', -1),
  'TransactionChargeback out': rule('chargebacksAmount', -1, 'numberOfChargebacks'),
  'TransactionChargebackReversal in': rule('chargebackReversalsAmount', 1, 'numberOfChargebackReversals'),
  'PlatformChargeback out': rule('platformChargebacksAmount', -1, 'numberOfPlatformChargebacks'),
  'PlatformChargebackReversal in': rule(
    'platformChargebackReversalsAmount',
    1,
    'numberOfPlatformChargebackReversals',
  ),
  'TransferIn in': rule('transferredInAmount', 1, 'numberOfTransfersIn'),
  'TransferOut out': rule('transferredOutAmount', -1, 'numberOfTransfersOut'),
  'Adjustment in': rule('transferredInAmount', 1),
  'Adjustment out': rule('transferredOutAmount', -1),
  'PayoutReversal in': rule('transferredInAmount', 1),
};

/** Returns the calculation of a payout from the totals of its balance transactions (Spec §2.6). Minor units. */
export function calculatePayout(
  totals: readonly PayoutTotal[],
  { payoutAmount, currency }: { payoutAmount: number; currency: string },
  customers: { all: number; newCustomers: number },
): Calculation {
  const zeros = tableOf(keysOf({ ...PAYOUT_SUMS, ...PAYOUT_COUNTS }), () => 0);
  const calculation: Calculation = { ...zeros, payoutAmount, currency };
  for (const { type, direction, count, amountMinor, feeMinor } of totals) {
    calculation.processingFeesPaidAmount += feeMinor;
    const matching = CALCULATION_RULES[`${type} ${direction}`];
    if (!matching) continue;
    calculation[matching.sum] += matching.sign * amountMinor;
    if (matching.count) calculation[matching.count] += count;
  }
  calculation.numberOfCustomers = customers.all;
  calculation.numberOfNewCustomers = customers.newCustomers;
  return calculation;
}
