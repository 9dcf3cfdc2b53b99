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
import { createLedgerFixture, type LedgerFixture } from './ledger-fixture.ts';
import { jsonText } from '../../../../server/platform/store/json-text.ts';

const DAY_MS = 86_400_000;

/** Captures 1000 unless told otherwise, and answers what can be refunded. */
async function capture(ledger: LedgerFixture, more: Partial<CapturePosting> = {}) {
  const { ids, clock } = ledger.services;
  const posting: CapturePosting = {
    session: ledger.session(ledger.subId),
    transactionId: ids.make('transaction'),
    amountMinor: 1000,
    platformFeeMinor: 0,
    splits: [],
    ...more,
  };
  await ledger.within((tx, services) => postCapture(tx, services, posting));
  return { session: posting.session, capture: { id: posting.transactionId, created_ms: clock.nowMs() } };
}

function refund(
  ledger: LedgerFixture,
  of: Pick<RefundPosting, 'session' | 'capture'>,
  more: Partial<RefundPosting> = {},
): Promise<void> {
  const transactionId = ledger.services.ids.make('transaction');
  const posting = { ...of, transactionId, amountMinor: 1000, platformFeeMinor: 0, splits: [], ...more };
  return ledger.within((tx, services) => postRefund(tx, services, posting));
}

test('payment entries: the platform pays the processing fee of its own payment', async () => {
  const ledger = await createLedgerFixture();
  await capture(ledger, { session: ledger.session(ledger.platformId) });
  expect(await ledger.balance(ledger.platformId)).toEqual([966, 0, 0]);
  const [row] = await ledger.rows(ledger.platformId);
  expect(row).toMatchObject({ type: 'TransactionCapture', amount_minor: 1000, fee_minor: 34 });
});

test("payment entries: the platform pays the processing fee of a sub account's payment, out of its platform fee if any", async () => {
  const ledger = await createLedgerFixture();
  await capture(ledger);
  expect(await ledger.balanceTransactions(ledger.subId)).toEqual(['TransactionCapture 1000']);
  expect(await ledger.balanceTransactions(ledger.platformId)).toEqual(['Adjustment -34']);

  await capture(ledger, { platformFeeMinor: 150 });
  expect((await ledger.balanceTransactions(ledger.subId)).slice(1)).toEqual([
    'TransactionCapture 1000',
    'PlatformFee -150',
  ]);
  expect((await ledger.balanceTransactions(ledger.platformId)).slice(1)).toEqual(['PlatformFee 116']);
  const fee = await ledger.store.get(`SELECT * FROM platform_fees`);
  expect(fee).toMatchObject({ amount_minor: 150, processing_minor: 34, payment_minor: 1000 });
  expect(fee).toMatchObject({ from_account_id: ledger.subId, account_id: ledger.platformId });
  expect(await ledger.events()).toEqual(['PlatformFee.created']);
  expect(await ledger.audit()).toEqual([]);
});

test('payment entries: the session says who pays the processing fee, and a capture may change it', async () => {
  const ledger = await createLedgerFixture();
  const shopPays = { combined: { bookTo: ledger.subId } };
  const settings = jsonText({ platform: { paymentFees: shopPays } });
  await capture(ledger, { session: ledger.session(ledger.subId, { payment_settings: settings }) });
  expect(await ledger.balanceTransactions(ledger.subId)).toEqual(['TransactionCapture 966']);
  expect(await ledger.balanceTransactions(ledger.platformId)).toEqual([]);

  await capture(ledger, { paymentFees: { gateway: { bookTo: ledger.subId } } });
  expect((await ledger.balanceTransactions(ledger.subId)).slice(1)).toEqual(['TransactionCapture 980']);
  expect(await ledger.balanceTransactions(ledger.platformId)).toEqual(['Adjustment -14']);
});

test('payment entries: a refund takes the payment from pending money first, and not the processing fee', async () => {
  const ledger = await createLedgerFixture();
  const early = await capture(ledger);
  await refund(ledger, early, { amountMinor: 400 });
  expect(await ledger.balance(ledger.subId)).toEqual([600, 0, 0]);
  await ledger.clock.advance(2 * DAY_MS);
  await refund(ledger, early, { amountMinor: 600 });
  expect(await ledger.balance(ledger.subId)).toEqual([0, 0, 0]);
  expect(await ledger.balance(ledger.platformId)).toEqual([0, 0, -34]);
  expect(await ledger.audit()).toEqual([]);
});

test('payment entries: a refund returns the requested part of the platform fee, and no more', async () => {
  const ledger = await createLedgerFixture();
  const paid = await capture(ledger, { platformFeeMinor: 150 });
  await refund(ledger, paid, { amountMinor: 500, platformFeeMinor: 75, reason: 'wrong size' });
  expect((await ledger.balanceTransactions(ledger.subId)).slice(2)).toEqual([
    'TransactionRefund -500',
    'PlatformFeeRefund 75',
  ]);
  expect((await ledger.balanceTransactions(ledger.platformId)).slice(1)).toEqual(['PlatformFeeRefund -75']);
  expect(await ledger.store.get(`SELECT * FROM platform_fee_refunds`)).toMatchObject({
    amount_minor: 75,
    reason: 'wrong size',
    status: 'Succeeded',
  });
  await expect(refund(ledger, paid, { amountMinor: 500, platformFeeMinor: 76 })).rejects.toThrow(Fault);
  await refund(ledger, paid, { amountMinor: 500, platformFeeMinor: 75 });
  expect(await ledger.events()).toEqual([
    'PlatformFee.created',
    'PlatformFee.refunded',
    'PlatformFee.refunded',
  ]);
  expect(await ledger.audit()).toEqual([]);
});

test("payment entries: splits go to their accounts, less the platform's fee of each, and are refunded", async () => {
  const ledger = await createLedgerFixture();
  const splits = [
    { id: 'sp_1', accountId: ledger.subId, amount: 600, fee: { amount: 60 } },
    { id: 'sp_2', accountId: ledger.otherId, amount: 300 },
  ];
  const session = ledger.session(ledger.platformId);
  const paid = await capture(ledger, { session, splits });
  expect(await ledger.balanceTransactions(ledger.platformId)).toEqual([
    'TransactionCapture 966',
    'SplitPayment -600',
    'SplitPayment -300',
    'PlatformFee 60',
  ]);
  expect(await ledger.balanceTransactions(ledger.subId)).toEqual(['SplitPayment 600', 'PlatformFee -60']);
  expect(await ledger.balanceTransactions(ledger.otherId)).toEqual(['SplitPayment 300']);

  const back = [{ ...splits[0]!, amount: 200, fee: { amount: 20 } }];
  await refund(ledger, paid, { amountMinor: 200, splits: back });
  expect((await ledger.balanceTransactions(ledger.subId)).slice(2)).toEqual([
    'SplitPaymentRefund -200',
    'PlatformFeeRefund 20',
  ]);
  expect((await ledger.balanceTransactions(ledger.platformId)).slice(4)).toEqual([
    'TransactionRefund -200',
    'SplitPaymentRefund 200',
    'PlatformFeeRefund -20',
  ]);
  expect((await ledger.rows(ledger.otherId))[0]).toMatchObject({
    origin_id: 'sp_2',
    origin_account_id: ledger.platformId,
  });
  expect(await ledger.audit()).toEqual([]);
});

test('payment entries: a chargeback is taken from the merchant, and returned to the merchant', async () => {
  const ledger = await createLedgerFixture();
  const { session } = await capture(ledger);
  const posting = { session, transactionId: 'txn_back', amountMinor: 1000 };
  const borne = await ledger.within((tx, services) => postChargeback(tx, services, posting));
  expect(borne).toEqual({ bearerId: ledger.subId });
  expect(await ledger.balance(ledger.subId)).toEqual([1000, 0, -1000]);
  await ledger.within((tx, services) => postChargebackReversal(tx, services, { ...posting, ...borne }));
  expect(await ledger.balanceTransactions(ledger.subId)).toEqual([
    'TransactionCapture 1000',
    'TransactionChargeback -1000',
    'TransactionChargebackReversal 1000',
  ]);
  expect(await ledger.audit()).toEqual([]);
});

test("payment entries: a chargeback that exceeds the account's balance is taken from its platform", async () => {
  const ledger = await createLedgerFixture();
  const posting = { session: ledger.session(ledger.subId), transactionId: 'txn_back', amountMinor: 1000 };
  const borne = await ledger.within((tx, services) => postChargeback(tx, services, posting));
  expect(borne).toEqual({ bearerId: ledger.platformId });
  await ledger.within((tx, services) => postChargebackReversal(tx, services, { ...posting, ...borne }));
  expect(await ledger.balanceTransactions(ledger.platformId)).toEqual([
    'PlatformChargeback -1000',
    'PlatformChargebackReversal 1000',
  ]);
  expect((await ledger.rows(ledger.platformId))[0]).toMatchObject({ origin_account_id: ledger.subId });
  expect(await ledger.rows(ledger.subId)).toEqual([]);
});
