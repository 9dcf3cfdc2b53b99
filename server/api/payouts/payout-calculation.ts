import type { BalanceTransactionType } from '../ledger/ledger.ts';
import { PAYOUT_COUNTS, PAYOUT_SUMS, type PayoutCount, type PayoutSum } from './payout-calculation.schema.ts';
import type { PayoutTotal } from '../ledger/balance-transaction.records.ts';

export type Calculation = Record<PayoutSum | PayoutCount | 'payoutAmount', number> & { currency: string };

/** Where a kind of movement belongs: its sum, its sign there, and its counter. */
interface Place {
  sum: PayoutSum;
  sign: 1 | -1;
  count?: PayoutCount;
}

const place = (sum: PayoutSum, sign: 1 | -1, count?: PayoutCount): Place => ({
  sum,
  sign,
  ...(count && { count }),
});

/**
 * By type and direction. What is not here (adjustments, payouts that came back) is part of the amount alone. A
 * platform fee that its payer gets back makes what was paid less.
 */
const PLACES: Partial<Record<`${BalanceTransactionType} ${'in' | 'out'}`, Place>> = {
  'TransactionCapture in': place('paymentsCapturedAmount', 1, 'numberOfPaymentsCaptured'),
  'TransactionRefund out': place('paymentsRefundedAmount', -1, 'numberOfPaymentsRefunded'),
  'SplitPayment out': place('paymentsSplitAmount', -1, 'numberOfPaymentsSplit'),
  'SplitPaymentRefund in': place('paymentsSplitRefundedAmount', 1, 'numberOfPaymentsSplitRefunded'),
  'SplitPayment in': place('splitPaymentsAmount', 1, 'numberOfSplitPayments'),
  'SplitPaymentRefund out': place('splitPaymentsRefundedAmount', -1, 'numberOfSplitPaymentsRefunded'),
  'PlatformFee in': place('platformFeesCollectedAmount', 1, 'numberOfPlatformFeesCollected'),
  'PlatformFeeRefund out': place('platformFeesRefundedAmount', -1, 'numberOfPlatformFeesRefunded'),
  'PlatformFee out': place('platformFeesPaidAmount', -1),
  'PlatformFeeRefund in': place('platformFeesPaidAmount', -1),
  'TransactionChargeback out': place('chargebacksAmount', -1, 'numberOfChargebacks'),
  'TransactionChargebackReversal in': place('chargebackReversalsAmount', 1, 'numberOfChargebackReversals'),
  'PlatformChargeback out': place('platformChargebacksAmount', -1, 'numberOfPlatformChargebacks'),
  'PlatformChargebackReversal in': place(
    'platformChargebackReversalsAmount',
    1,
    'numberOfPlatformChargebackReversals',
  ),
  'TransferIn in': place('transferredInAmount', 1, 'numberOfTransfersIn'),
  'TransferOut out': place('transferredOutAmount', -1, 'numberOfTransfersOut'),
};

/** What a payout of an amount is made of, from the balance transactions in it. */
export function calculationOf(
  totals: readonly PayoutTotal[],
  { payoutAmount, currency }: { payoutAmount: number; currency: string },
  customers: { all: number; fresh: number },
): Calculation {
  const names = Object.keys({ ...PAYOUT_SUMS, ...PAYOUT_COUNTS });
  const zeros = Object.fromEntries(names.map((name) => [name, 0])) as Record<PayoutSum | PayoutCount, number>;
  const calculation: Calculation = { ...zeros, payoutAmount, currency };
  for (const { type, direction, count, amountMinor, feeMinor } of totals) {
    calculation.processingFeesPaidAmount += feeMinor;
    const where = PLACES[`${type} ${direction}`];
    if (!where) continue;
    calculation[where.sum] += where.sign * amountMinor;
    if (where.count) calculation[where.count] += count;
  }
  calculation.numberOfCustomers = customers.all;
  calculation.numberOfNewCustomers = customers.fresh;
  return calculation;
}
