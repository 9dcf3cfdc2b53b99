import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addAmountToPayout,
  type PayoutTotal,
} from '../../../../server/api/ledger/balance-transaction.records.ts';
import { BALANCE_TRANSACTION_TYPES } from '../../../../server/api/ledger/ledger.ts';
import { calculatePayout } from '../../../../server/api/payouts/payout-calculation.ts';
import {
  PAYOUT_COUNTS,
  PAYOUT_SUMS,
  type PayoutSum,
} from '../../../../server/api/payouts/payout-calculation.schema.ts';
import { createLedgerFixture } from '../ledger/ledger-fixture.ts';

const total = (type: PayoutTotal['type'], amountMinor: number, feeMinor = 0): PayoutTotal => ({
  type,
  amountMinor,
  feeMinor,
  direction: amountMinor < 0 ? 'out' : 'in',
  count: 2,
});

test('payout calculation: every kind of balance transaction has an unsigned total and a counter', () => {
  const of = (totals: PayoutTotal[]) =>
    calculatePayout(totals, { payoutAmount: 1, currency: 'GBP' }, { all: 3, newCustomers: 1 });
  expect(of([total('TransactionCapture', 900, 20)])).toMatchObject({
    paymentsCapturedAmount: 900,
    processingFeesPaidAmount: 20,
    numberOfPaymentsCaptured: 2,
    numberOfCustomers: 3,
    numberOfNewCustomers: 1,
  });
  expect(of([total('SplitPayment', -40), total('SplitPayment', 50)])).toMatchObject({
    paymentsSplitAmount: 40,
    numberOfPaymentsSplit: 2,
    splitPaymentsAmount: 50,
    numberOfSplitPayments: 2,
  });
  expect(of([total('SplitPaymentRefund', -4), total('SplitPaymentRefund', 5)])).toMatchObject({
    splitPaymentsRefundedAmount: 4,
    paymentsSplitRefundedAmount: 5,
  });
  expect(of([total('PlatformFee', -30), total('PlatformFeeRefund', 10)])).toMatchObject({
    platformFeesPaidAmount: 20,
    numberOfPlatformFeesCollected: 0,
  });
  expect(of([total('PlatformFee', 30), total('PlatformFeeRefund', -10)])).toMatchObject({
    platformFeesCollectedAmount: 30,
    platformFeesRefundedAmount: 10,
    numberOfPlatformFeesRefunded: 2,
  });
  expect(of([total('PlatformChargeback', -7), total('TransactionChargebackReversal', 8)])).toMatchObject({
    platformChargebacksAmount: 7,
    numberOfPlatformChargebacks: 2,
    chargebackReversalsAmount: 8,
  });
});

test(
  'payout calculation: has every total and counter, zeros included',
  { tags: ['spec:2.6/payout-calculation'] },
  () => {
    const nothing = calculatePayout([], { payoutAmount: 0, currency: 'GBP' }, { all: 0, newCustomers: 0 });
    expect(Object.keys(nothing).sort()).toEqual(
      Object.keys({ ...PAYOUT_SUMS, ...PAYOUT_COUNTS, payoutAmount: 0, currency: '' }).sort(),
    );
  },
);

test('payout calculation: takes balance transactions until their total stays at the amount or above', async () => {
  const nets = fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 1, maxLength: 8 });
  // Undefined for all that there is.
  const amounts = fc.option(fc.integer({ min: 1, max: 600 }), { nil: undefined });
  const ledger = await createLedgerFixture();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(nets, amounts, async (each, amount) => {
      // Every run in an account of its own.
      const accountId = `ac_${runs++}`;
      for (const net of each) await ledger.fund(accountId, net);
      const has = each.reduce((sum, net) => sum + net, 0);
      const wanted = amount ?? Math.max(has, 1);
      const into = { accountId, currency: 'GBP', payoutId: `po_${accountId}` };
      const took = await ledger.within((tx) => addAmountToPayout(tx, into, wanted, ledger.clock.nowMs()));
      const rows = await ledger.rows(accountId);
      const taken = rows.filter(({ payout_id: id }) => id === into.payoutId);
      expect(taken.reduce((sum, row) => sum + row.net_minor, 0)).toBe(took);
      if (has === wanted) {
        expect(taken).toEqual(rows);
        return;
      }
      // Oldest first, and without the last one the total would be, or later fall, below the amount.
      expect(taken).toEqual(rows.slice(0, taken.length));
      if (has >= wanted) expect(took).toBeGreaterThanOrEqual(wanted);
      const totals = rows.map((_row, index) =>
        rows.slice(0, index + 1).reduce((sum, row) => sum + row.net_minor, 0),
      );
      if (taken.length > 1) expect(Math.min(...totals.slice(taken.length - 2))).toBeLessThan(wanted);
      if (taken.length < rows.length)
        expect(Math.min(...totals.slice(taken.length - 1))).toBeGreaterThanOrEqual(wanted);
    }),
    { numRuns: 60 },
  );
});

test('payout calculation: every type of balance transaction has a total, but those listed', () => {
  const placed = BALANCE_TRANSACTION_TYPES.filter((type) =>
    [1, -1].some((sign) => {
      const made = calculatePayout(
        [total(type, sign)],
        { payoutAmount: 0, currency: 'GBP' },
        { all: 0, newCustomers: 0 },
      );
      return Object.keys(PAYOUT_SUMS).some((name) => made[name as PayoutSum] !== 0);
    }),
  );
  const rest = BALANCE_TRANSACTION_TYPES.filter((type) => !placed.includes(type));
  expect(rest).toEqual(['TransactionApproval', 'Payout']);
});
