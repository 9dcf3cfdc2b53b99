import { BANK_ACCOUNT } from '../../cli/trigger/account-paths.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Api } from '../../testing/world/api.ts';
import { openCheckout, type Checkout } from '../kit/checkout.ts';
import { ledgerProblems } from '../kit/ledger.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import { summed } from './payout-sum.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

const DAY = 24 * 60;

let world: World;
let shopApi: Api;
let shop: Checkout;
let path: string;

beforeEach(async () => {
  world = await startWorld();
  shopApi = world.api.as(world.subAccountId);
  shop = openCheckout(shopApi);
  path = `/v1/accounts/${world.subAccountId}`;
});
afterEach(async () => {
  // Whatever a test did, the ledger adds up.
  expect(await ledgerProblems(world)).toEqual([]);
  await world.close();
});

async function addMethod(change: object = {}): Promise<Json> {
  const { status, body } = await world.api.post(`${path}/payout-methods`, { ...BANK_ACCOUNT, ...change });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

async function payouts(query = ''): Promise<Json[]> {
  return (await world.api.get(`${path}/payouts${query}`)).body.items;
}

async function manual(): Promise<void> {
  const settings = { payouts: { schedule: { type: 'Manual' } } };
  expect((await world.api.patch(path, { settings })).status).toBe(200);
}

async function available(): Promise<number> {
  return (await shopApi.get('/v1/balances?currency=GBP')).body.items[0].available.amount;
}

test(
  "automatic payout: Monday's payments are paid out on Wednesday, less refunds and fees, with events",
  {
    tags: [
      'spec:4.6/GET/accounts/{id}/payouts/{payoutId}',
      'spec:1/automatic-payouts',
      'spec:2.6/deprecated-dates',
      'spec:4.7/balance-transactions-of-payout',
    ],
  },
  async () => {
    const heard = await world.listen('shop', [
      'PayoutMethod.created',
      'Payout.created',
      'Payout.status_updated',
    ]);
    const method = await addMethod();
    await shop.captured({ amount: 10_000, platformFee: 1_000, customerEmail: 'ada@example.com' });
    const second = await shop.captured({ amount: 5_000, customerEmail: 'bob@example.com' });
    await shop.move(second, 'refunds', { amount: 2_000 });

    await world.advance({ minutes: DAY });
    expect(await payouts()).toEqual([]);
    await world.advance({ minutes: DAY });

    const [payout] = await payouts();
    expect(payout).toMatchObject({
      amount: 12_000,
      currency: 'GBP',
      status: 'Completed',
      scheduleType: 'Automatic',
      scheme: 'Fps',
      paymentsTakenDate: '2026-01-05',
      payoutMethod: {
        id: method.id,
        bankAccount: { bankIdType: 'SortCode', bankId: '000001', last4: '0111' },
      },
      scheduledTimestamp: Date.UTC(2026, 0, 7) / 1000,
      payoutCalculation: {
        paymentsCapturedAmount: 15_000,
        paymentsRefundedAmount: 2_000,
        platformFeesPaidAmount: 1_000,
        payoutAmount: 12_000,
        numberOfPaymentsCaptured: 2,
        numberOfPaymentsRefunded: 1,
        numberOfCustomers: 2,
        numberOfNewCustomers: 2,
      },
    });
    expect(payout.completedTimestamp).toBeGreaterThan(payout.scheduledTimestamp);
    expect(summed(payout.payoutCalculation)).toBe(payout.amount);
    expect(await available()).toBe(0);

    const { items } = (await shopApi.get(`/v1/balance-transactions?payoutId=${payout.id}&limit=50`)).body;
    expect(items.reduce((sum: number, { net }: Json) => sum + net, 0)).toBe(0);
    expect(items.map(({ type }: Json) => type)).toContain('Payout');
    expect(heard.types()).toEqual(['PayoutMethod.created', 'Payout.created', 'Payout.status_updated']);
    expect(heard.deliveries.at(-1)!.event.data).toEqual(payout);
    expect(heard.deliveries.at(-1)!.event.accountId).toBe(world.subAccountId);
  },
);

test('automatic payout: a platform is paid its fees, less the processing fees', async () => {
  await world.api.post(`/v1/accounts/${world.platformId}/payout-methods`, BANK_ACCOUNT);
  const session = await shop.captured({ amount: 10_000, platformFee: 2_000 });
  await shop.move(session, 'refunds', { amount: 5_000, refundPlatformFee: true });
  await world.advance({ minutes: 2 * DAY });
  const [payout] = (await world.api.get(`/v1/accounts/${world.platformId}/payouts`)).body.payouts;
  expect(payout.payoutCalculation).toMatchObject({
    platformFeesCollectedAmount: 2_000,
    platformFeesRefundedAmount: 1_000,
    numberOfPlatformFeesCollected: 1,
    numberOfPlatformFeesRefunded: 1,
    numberOfPaymentsCaptured: 0,
  });
  expect(payout.payoutCalculation.processingFeesPaidAmount).toBeGreaterThan(0);
  expect(summed(payout.payoutCalculation)).toBe(payout.amount);
});

test(
  'manual payout: takes the balance transactions that it needs and carries over the excess',
  { tags: ['spec:4.6/POST/accounts/{id}/payouts', 'spec:2.6/schedule-type'] },
  async () => {
    const method = await addMethod();
    await manual();
    await shop.captured({ amount: 1_000 });
    await shop.captured({ amount: 2_000 });
    await world.advance({ minutes: 2 * DAY });
    expect(await payouts()).toEqual([]);

    const order = { amount: 1_500, currency: 'GBP', payoutMethodId: method.id, metadata: { week: '2' } };
    const { status, body } = await world.api.post(`${path}/payouts`, order);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'InProgress', scheduleType: 'Manual', metadata: { week: '2' } });
    expect(body.payoutCalculation).toMatchObject({ paymentsCapturedAmount: 3_000, payoutAmount: 1_500 });
    expect(summed(body.payoutCalculation)).toBe(1_500);
    expect(await available()).toBe(1_500);

    await world.advance({ minutes: 1 });
    expect((await world.api.get(`${path}/payouts/${body.id}`)).body).toMatchObject({ status: 'Completed' });
    const rest = await world.api.post(`${path}/payouts`, { ...order, amount: 1_500 });
    expect(rest.body.payoutCalculation).toMatchObject({
      numberOfPaymentsCaptured: 0,
      numberOfTransfersIn: 0,
      transferredInAmount: 1_500,
      payoutAmount: 1_500,
    });
    expect(await available()).toBe(0);
  },
);

test('manual payout: of everything available contains everything, as an automatic one does', async () => {
  const method = await addMethod();
  await manual();
  const sale = await shop.captured({ amount: 10_000, platformFee: 750 });
  await shop.captured({ amount: 4_000, platformFee: 300 });
  await shop.move(sale, 'refunds', { amount: 2_000, refundPlatformFee: true });
  await world.advance({ minutes: 6 * DAY });
  const order = { amount: await available(), currency: 'GBP', payoutMethodId: method.id };
  expect(order.amount).toBe(11_100);
  const { body } = await world.api.post(`${path}/payouts`, order);
  expect(body.payoutCalculation).toMatchObject({
    paymentsCapturedAmount: 14_000,
    paymentsRefundedAmount: 2_000,
    numberOfPaymentsRefunded: 1,
    platformFeesPaidAmount: 900,
    payoutAmount: 11_100,
    transferredInAmount: 0,
    transferredOutAmount: 0,
  });
  expect(summed(body.payoutCalculation)).toBe(11_100);
  const { items } = (await shopApi.get(`/v1/balance-transactions?payoutId=${body.id}&limit=50`)).body;
  expect(items.map(({ type }: Json) => type)).not.toContain('Adjustment');
  expect(await available()).toBe(0);
});

test(
  'POST /payouts: refused unless the account, the method and the amount satisfy the rules',
  {
    tags: [
      'spec:2.3/frozen',
      'spec:4.6/manual-schedule',
      'spec:4.6/method-valid',
      'spec:4.6/minimum-amount',
      'spec:4.6/not-frozen',
    ],
  },
  async () => {
    const method = await addMethod();
    await shop.captured({ amount: 5_000 });
    await world.advance({ minutes: DAY });
    const order = { amount: 1_000, currency: 'GBP', payoutMethodId: method.id };
    const ordered = async (change: object = {}) => {
      const { status, body } = await world.api.post(`${path}/payouts`, { ...order, ...change });
      return [status, body.errors?.[0].message];
    };
    expect(await ordered()).toEqual([400, expect.stringContaining('Manual')]);
    await manual();
    expect(await ordered()).toEqual([400, expect.stringContaining('0.00 GBP is available')]);
    await world.advance({ minutes: DAY });
    expect(await ordered({ amount: 99 })).toEqual([400, 'amount must be at least 100 in GBP']);
    expect(await ordered({ amount: 5_001 })).toEqual([
      400,
      expect.stringContaining('50.00 GBP is available'),
    ]);
    expect(await ordered({ currency: 'EUR' })).toEqual([
      400,
      'currency must be GBP, the currency of the payout method',
    ]);
    expect(await ordered({ payoutMethodId: 'pm_0' })).toEqual([404, 'no such payout method']);

    const settings = `/sandbox/accounts/${world.subAccountId}/settings`;
    await world.api.patch(settings, { frozen: true });
    expect(await ordered()).toEqual([400, 'the account is frozen: payouts are disabled']);
    await world.api.patch(settings, { frozen: false });

    await world.api.patch(`${path}/payout-methods/${method.id}`, { displayName: 'an invalid one' });
    expect(await ordered()).toEqual([400, 'payoutMethodId must be a payout method that is Valid']);
    expect(await payouts()).toEqual([]);

    const stranger = await world.api.post(
      '/v1/accounts/ac_00000000-0000-4000-8000-000000000000/payouts',
      order,
    );
    expect(stranger.status).toBe(404);
  },
);

test(
  'payout: an account whose verification is required is not paid out, manually or automatically',
  { tags: ['spec:4.6/verified'] },
  async () => {
    const created = await world.api.post('/v1/accounts', {
      onboardingFlow: 'NonHosted',
      entityType: 'Business',
      business: {
        name: 'New Shop',
        type: 'PrivateCompany',
        registrationNumber: '7654321',
        registeredAddress: { lineOne: '2 High Street', city: 'Leeds', country: 'GB', postalCode: 'LS1 1AA' },
        contactEmail: 'new@example.com',
      },
      settings: { payouts: { schedule: { type: 'Manual' } } },
    });
    expect(created.body.verification.status).toBe('Required');
    const own = `/v1/accounts/${created.body.id}`;
    const method = await world.api.post(`${own}/payout-methods`, BANK_ACCOUNT);
    await openCheckout(world.api.as(created.body.id)).captured({ amount: 3_000 });
    await world.advance({ minutes: 2 * DAY });
    const order = { amount: 1_000, currency: 'GBP', payoutMethodId: method.body.id };
    const refused = await world.api.post(`${own}/payouts`, order);
    expect([refused.status, refused.body.errors[0].message]).toEqual([
      400,
      'verification.status of the account is Required: supply what is missing first',
    ]);
  },
);

test(
  'payout: a failed payout returns the money, and is repeated when the bank account is corrected',
  { tags: ['spec:2.5/invalid-reason', 'spec:2.6/payout-end'] },
  async () => {
    const method = await addMethod();
    await shop.captured({ amount: 4_000 });
    await world.advance({ minutes: 2 * DAY - 9 * 60 });
    const [sent] = await payouts();
    expect(sent).toMatchObject({ status: 'InProgress', amount: 4_000 });

    const outcome = (status: string) => world.api.post(`/sandbox/payouts/${sent.id}/outcome`, { status });
    expect((await outcome('Failed')).body).toMatchObject({
      status: 'Failed',
      failureReason: 'InvalidPayoutMethod',
    });
    expect((await outcome('Completed')).status).toBe(400);
    expect(await available()).toBe(4_000);
    expect((await world.api.get(`${path}/payout-methods/${method.id}`)).body).toMatchObject({
      status: 'Invalid',
      invalidReason: 'Account is closed',
    });
    await world.advance({ minutes: DAY });
    expect(await payouts()).toHaveLength(1);

    const same = await world.api.patch(`${path}/payout-methods/${method.id}`, {
      bankAccount: BANK_ACCOUNT.bankAccount,
    });
    expect(same.body.status).toBe('Invalid');
    const bankAccount = { ...BANK_ACCOUNT.bankAccount, accountNumber: '12345678' };
    const other = await world.api.patch(`${path}/payout-methods/${method.id}`, { bankAccount });
    expect(other.body).toMatchObject({
      status: 'Valid',
      invalidReason: null,
      bankAccount: { last4: '5678' },
    });
    await world.advance({ minutes: DAY + 1 });
    expect((await payouts()).map(({ status, amount }) => [status, amount])).toEqual([
      ['Completed', 4_000],
      ['Failed', 4_000],
    ]);
    const [again] = await payouts();
    await world.api.post(`/sandbox/payouts/${again.id}/outcome`, { status: 'Returned' });
    expect((await payouts())[0]).toMatchObject({ status: 'Returned', failureReason: 'InvalidPayoutMethod' });
    expect(await available()).toBe(4_000);
  },
);

test(
  'payout: a held payout continues, or ends and returns the money',
  { tags: ['spec:2.6/payout-outcomes'] },
  async () => {
    const method = await addMethod();
    await shop.captured({ amount: 4_000 });
    await world.advance({ minutes: 2 * DAY - 9 * 60 });
    const heard = await world.listen('shop', ['Payout.status_updated']);
    const [sent] = await payouts();
    const outcome = (id: string, status: string) =>
      world.api.post(`/sandbox/payouts/${id}/outcome`, { status });
    const holds = [
      'Pending',
      'PendingAccountVerification',
      'PendingTransactionVerification',
      'PendingPayoutMethodAction',
      'PendingAccountAction',
    ];
    for (const hold of holds) {
      expect((await outcome(sent.id, hold)).body).toMatchObject({ status: hold });
      expect((await outcome(sent.id, 'Completed')).status).toBe(400);
      await world.advance({ minutes: 5 });
      expect((await payouts())[0].status).toBe(hold);
      expect((await outcome(sent.id, 'InProgress')).body).toMatchObject({ status: 'InProgress' });
    }
    await world.advance({ minutes: 1 });
    expect((await payouts())[0]).toMatchObject({
      status: 'Completed',
      completedTimestamp: expect.any(Number),
    });
    expect((await outcome(sent.id, 'Recalled')).body).toMatchObject({ status: 'Recalled' });
    expect(await available()).toBe(4_000);
    await world.settled();
    const told = heard.deliveries.map(({ event }: Json) => event.data.status);
    expect(told).toEqual([...holds.flatMap((hold) => [hold, 'InProgress']), 'Completed', 'Recalled']);

    await manual();
    for (const end of ['Cancelled', 'Expired']) {
      const order = { amount: 4_000, currency: 'GBP', payoutMethodId: method.id };
      const { body: next } = await world.api.post(`${path}/payouts`, order);
      await outcome(next.id, 'Pending');
      expect(await available()).toBe(0);
      expect((await outcome(next.id, end)).body).toMatchObject({ status: end });
      expect((await outcome(next.id, 'InProgress')).status).toBe(400);
      expect(await available()).toBe(4_000);
    }
  },
);

test('payout: fails when its payout method is deleted meanwhile', async () => {
  const method = await addMethod();
  await shop.captured({ amount: 4_000 });
  await world.advance({ minutes: 2 * DAY - 9 * 60 });
  const removed = await world.api.delete(`${path}/payout-methods/${method.id}`);
  expect(removed.body).toEqual(method);
  await world.advance({ minutes: 1 });
  expect(await payouts()).toMatchObject([{ status: 'Failed', failureReason: 'InvalidPayoutMethod' }]);
  await world.advance({ minutes: 3 * DAY });
  expect(await payouts()).toHaveLength(1);
});

test(
  'GET /payouts: accepts both names of the list and of the token, and the payments-taken filter',
  {
    tags: [
      'spec:4.6/GET/accounts/{id}/payouts',
      'spec:2.1/payout-list-shape',
      'spec:4.6/payments-taken-filter',
    ],
  },
  async () => {
    await addMethod();
    for (const amount of [1_000, 2_000, 3_000]) {
      await shop.captured({ amount });
      await world.advance({ minutes: DAY });
    }
    await world.advance({ minutes: 4 * DAY });
    const all = await payouts();
    expect(all.map(({ amount }) => amount)).toEqual([3_000, 2_000, 1_000]);
    const { body: first } = await world.api.get(`${path}/payouts?limit=1`);
    expect(first.payouts).toEqual(first.items);
    for (const name of ['paginationToken', 'startsAfter']) {
      const next = await world.api.get(`${path}/payouts?limit=1&${name}=${first.paginationToken}`);
      expect(next.body.payouts).toMatchObject([{ amount: 2_000 }]);
    }
    expect(await payouts('?startDate=2026-01-06&endDate=2026-01-06')).toMatchObject([{ amount: 2_000 }]);
    expect(await payouts('?ascending=True&startDate=2026-01-06')).toMatchObject([
      { amount: 2_000 },
      { amount: 3_000 },
    ]);
    const created = all[1].createdTimestamp;
    expect(await payouts(`?startTimestamp=${created}&endTimestamp=${created + 60}`)).toHaveLength(1);
    const overridden = `startTimestamp=${created + 60}&start=x&endTimestamp=${created * 2}&end=y`;
    expect(await payouts(`?${overridden}`)).toMatchObject([{ amount: 3_000 }]);
    expect(await payouts(`?start=${created + 60}`)).toMatchObject([{ amount: 3_000 }]);
    for (const query of ['startDate=yesterday', 'startDate=2026-02-02&endDate=2026-02-01', 'limit=51']) {
      expect((await world.api.get(`${path}/payouts?${query}`)).status, query).toBe(400);
    }
  },
);
