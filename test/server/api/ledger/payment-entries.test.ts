import { expect, test } from 'vitest';
import { Fault } from '../../../../protocol/failures.ts';
import {
  postCapture,
  postChargeback,
  postChargebackReversal,
  postRefund,
  type CapturePosting,
  type RefundPosting,
} from '../../../../server/api/ledger/payment-entries.ts';
import { openLedger, type LedgerBench } from './ledger-bench.ts';
import { jsonText } from '../../../../server/platform/store/json-text.ts';

const DAY_MS = 86_400_000;

/** Captures 1000 unless told otherwise, and answers what can be refunded. */
async function capture(bench: LedgerBench, more: Partial<CapturePosting> = {}) {
  const { ids, clock } = bench.services;
  const posting: CapturePosting = {
    session: bench.session(bench.subId),
    transactionId: ids.make('transaction'),
    amountMinor: 1000,
    platformFeeMinor: 0,
    splits: [],
    ...more,
  };
  await bench.within((tx, services) => postCapture(tx, services, posting));
  return { session: posting.session, capture: { id: posting.transactionId, created_ms: clock.nowMs() } };
}

function refund(
  bench: LedgerBench,
  of: Pick<RefundPosting, 'session' | 'capture'>,
  more: Partial<RefundPosting> = {},
): Promise<void> {
  const transactionId = bench.services.ids.make('transaction');
  const posting = { ...of, transactionId, amountMinor: 1000, platformFeeMinor: 0, splits: [], ...more };
  return bench.within((tx, services) => postRefund(tx, services, posting));
}

test('payment entries: the platform pays the processing fee of its own payment', async () => {
  const bench = await openLedger();
  await capture(bench, { session: bench.session(bench.platformId) });
  expect(await bench.balance(bench.platformId)).toEqual([966, 0, 0]);
  const [row] = await bench.rows(bench.platformId);
  expect(row).toMatchObject({ type: 'TransactionCapture', amount_minor: 1000, fee_minor: 34 });
});

test("payment entries: the platform pays the processing fee of a sub account's payment, out of its platform fee if any", async () => {
  const bench = await openLedger();
  await capture(bench);
  expect(await bench.moves(bench.subId)).toEqual(['TransactionCapture 1000']);
  expect(await bench.moves(bench.platformId)).toEqual(['Adjustment -34']);

  await capture(bench, { platformFeeMinor: 150 });
  expect((await bench.moves(bench.subId)).slice(1)).toEqual(['TransactionCapture 1000', 'PlatformFee -150']);
  expect((await bench.moves(bench.platformId)).slice(1)).toEqual(['PlatformFee 116']);
  const fee = await bench.store.get(`SELECT * FROM platform_fees`);
  expect(fee).toMatchObject({ amount_minor: 150, processing_minor: 34, payment_minor: 1000 });
  expect(fee).toMatchObject({ from_account_id: bench.subId, account_id: bench.platformId });
  expect(await bench.events()).toEqual(['PlatformFee.created']);
  expect(await bench.audit()).toEqual([]);
});

test('payment entries: the session says who pays the processing fee, and a capture may change it', async () => {
  const bench = await openLedger();
  const shopPays = { combined: { bookTo: bench.subId } };
  const settings = jsonText({ platform: { paymentFees: shopPays } });
  await capture(bench, { session: bench.session(bench.subId, { payment_settings: settings }) });
  expect(await bench.moves(bench.subId)).toEqual(['TransactionCapture 966']);
  expect(await bench.moves(bench.platformId)).toEqual([]);

  await capture(bench, { paymentFees: { gateway: { bookTo: bench.subId } } });
  expect((await bench.moves(bench.subId)).slice(1)).toEqual(['TransactionCapture 980']);
  expect(await bench.moves(bench.platformId)).toEqual(['Adjustment -14']);
});

test('payment entries: a refund takes the payment from pending money first, and not the processing fee', async () => {
  const bench = await openLedger();
  const early = await capture(bench);
  await refund(bench, early, { amountMinor: 400 });
  expect(await bench.balance(bench.subId)).toEqual([600, 0, 0]);
  await bench.clock.advance(2 * DAY_MS);
  await refund(bench, early, { amountMinor: 600 });
  expect(await bench.balance(bench.subId)).toEqual([0, 0, 0]);
  expect(await bench.balance(bench.platformId)).toEqual([0, 0, -34]);
  expect(await bench.audit()).toEqual([]);
});

test('payment entries: a refund returns the requested part of the platform fee, and no more', async () => {
  const bench = await openLedger();
  const paid = await capture(bench, { platformFeeMinor: 150 });
  await refund(bench, paid, { amountMinor: 500, platformFeeMinor: 75, reason: 'wrong size' });
  expect((await bench.moves(bench.subId)).slice(2)).toEqual([
    'TransactionRefund -500',
    'PlatformFeeRefund 75',
  ]);
  expect((await bench.moves(bench.platformId)).slice(1)).toEqual(['PlatformFeeRefund -75']);
  expect(await bench.store.get(`SELECT * FROM platform_fee_refunds`)).toMatchObject({
    amount_minor: 75,
    reason: 'wrong size',
    status: 'Succeeded',
  });
  await expect(refund(bench, paid, { amountMinor: 500, platformFeeMinor: 76 })).rejects.toThrow(Fault);
  await refund(bench, paid, { amountMinor: 500, platformFeeMinor: 75 });
  expect(await bench.events()).toEqual([
    'PlatformFee.created',
    'PlatformFee.refunded',
    'PlatformFee.refunded',
  ]);
  expect(await bench.audit()).toEqual([]);
});

test("payment entries: splits go to their accounts, less the platform's fee of each, and are refunded", async () => {
  const bench = await openLedger();
  const splits = [
    { id: 'sp_1', accountId: bench.subId, amount: 600, fee: { amount: 60 } },
    { id: 'sp_2', accountId: bench.otherId, amount: 300 },
  ];
  const session = bench.session(bench.platformId);
  const paid = await capture(bench, { session, splits });
  expect(await bench.moves(bench.platformId)).toEqual([
    'TransactionCapture 966',
    'SplitPayment -600',
    'SplitPayment -300',
    'PlatformFee 60',
  ]);
  expect(await bench.moves(bench.subId)).toEqual(['SplitPayment 600', 'PlatformFee -60']);
  expect(await bench.moves(bench.otherId)).toEqual(['SplitPayment 300']);

  const back = [{ ...splits[0]!, amount: 200, fee: { amount: 20 } }];
  await refund(bench, paid, { amountMinor: 200, splits: back });
  expect((await bench.moves(bench.subId)).slice(2)).toEqual([
    'SplitPaymentRefund -200',
    'PlatformFeeRefund 20',
  ]);
  expect((await bench.moves(bench.platformId)).slice(4)).toEqual([
    'TransactionRefund -200',
    'SplitPaymentRefund 200',
    'PlatformFeeRefund -20',
  ]);
  expect((await bench.rows(bench.otherId))[0]).toMatchObject({
    origin_id: 'sp_2',
    origin_account_id: bench.platformId,
  });
  expect(await bench.audit()).toEqual([]);
});

test('payment entries: a chargeback is taken from the merchant, and returned to the merchant', async () => {
  const bench = await openLedger();
  const { session } = await capture(bench);
  const posting = { session, transactionId: 'txn_back', amountMinor: 1000 };
  const borne = await bench.within((tx, services) => postChargeback(tx, services, posting));
  expect(borne).toEqual({ bearerId: bench.subId });
  expect(await bench.balance(bench.subId)).toEqual([1000, 0, -1000]);
  await bench.within((tx, services) => postChargebackReversal(tx, services, { ...posting, ...borne }));
  expect(await bench.moves(bench.subId)).toEqual([
    'TransactionCapture 1000',
    'TransactionChargeback -1000',
    'TransactionChargebackReversal 1000',
  ]);
  expect(await bench.audit()).toEqual([]);
});

test("payment entries: a chargeback that exceeds the account's balance is taken from its platform", async () => {
  const bench = await openLedger();
  const posting = { session: bench.session(bench.subId), transactionId: 'txn_back', amountMinor: 1000 };
  const borne = await bench.within((tx, services) => postChargeback(tx, services, posting));
  expect(borne).toEqual({ bearerId: bench.platformId });
  await bench.within((tx, services) => postChargebackReversal(tx, services, { ...posting, ...borne }));
  expect(await bench.moves(bench.platformId)).toEqual([
    'PlatformChargeback -1000',
    'PlatformChargebackReversal 1000',
  ]);
  expect((await bench.rows(bench.platformId))[0]).toMatchObject({ origin_account_id: bench.subId });
  expect(await bench.rows(bench.subId)).toEqual([]);
});
