import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditLedger } from '../../server/api/ledger/audit.ts';
import type { Api } from '../../testing/world/api.ts';
import { openCheckout } from '../kit/checkout.ts';
import { openTill, type Till } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

const DAY = 24 * 60;

let world: World;
/** The till of a sub account. */
let till: Till;
let branch: Api;
beforeEach(async () => {
  world = await startWorld();
  branch = world.api.as(world.subAccountId);
  till = openTill(world, await world.addTerminal({ accountId: world.subAccountId }), world.subAccountId);
});
afterEach(async () => {
  const { services } = world.server;
  const problems = await services.store.transaction((tx) => auditLedger(tx, services.clock.nowMs()));
  await world.close();
  expect(problems).toEqual([]);
});

/** Available amount in a currency. */
async function available(api: Api, currency = 'GBP'): Promise<number> {
  const { body } = await api.get(`/v1/balances?currency=${currency}`);
  return body.items[0].available.amount;
}

test(
  'platform fee: a payment becomes available after two business days, its fee shows on both sides',
  { tags: ['spec:4.7/GET/platform-fees', 'spec:4.7/GET/platform-fees/{platformFeeId}'] },
  async () => {
    const platform = await world.listen('platform', ['PlatformFee.created']);
    const session = await till.takes(2000, { paymentSession: { platformFee: 150 } });

    const [fee] = (await world.api.get('/v1/platform-fees')).body.items;
    expect(fee).toMatchObject({
      paymentSessionId: session.id,
      amount: 150,
      paymentAmount: 2000,
      processingFee: 48,
      netAmount: 102,
      currency: 'GBP',
      fromAccountId: world.subAccountId,
    });
    expect(platform.deliveries.map(({ event }) => event.data)).toEqual([fee]);
    expect((await world.api.get(`/v1/platform-fees/${fee.id}`)).body).toEqual(fee);
    expect((await world.api.get(`/v1/platform-fees/${fee.id}/refunds`)).body.items).toEqual([]);

    expect((await branch.get('/v1/balances')).body.items).toMatchObject([
      { currency: 'GBP', pending: { amount: 1850 }, cleared: { amount: 0 }, available: { amount: 0 } },
    ]);
    const { items } = (await branch.get('/v1/balance-transactions?ascending=true')).body;
    expect(items).toMatchObject([
      { type: 'TransactionCapture', amount: 2000, net: 2000, status: 'Pending' },
      { type: 'PlatformFee', amount: -150, origin: { id: fee.id, accountId: world.platformId } },
    ]);
    expect(items[0].origin.id).toMatch(/^txn_/);
    expect((await world.api.get('/v1/balance-transactions')).body.items).toMatchObject([
      { type: 'PlatformFee', amount: 150, feeTotal: 48, net: 102, origin: { accountId: world.subAccountId } },
    ]);

    await world.advance({ minutes: 2 * DAY });
    expect(await available(branch)).toBe(1850);
    expect(await available(world.api)).toBe(102);
    expect((await branch.get('/v1/balance-transactions?limit=1')).body.items).toMatchObject([
      { status: 'Available' },
    ]);
  },
);

test(
  'platform fee: a refund returns its part of the fee',
  { tags: ['spec:4.7/GET/platform-fees/{platformFeeId}/refunds'] },
  async () => {
    const platform = await world.listen('platform', ['PlatformFee.refunded']);
    const { id } = await till.takes(2000, { paymentSession: { platformFee: 150 } });
    await till.refund(id, { amount: 1000, refundPlatformFee: true });
    await till.reaches('awaitingCard');
    till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
    await world.settled();

    const [fee] = (await world.api.get('/v1/platform-fees')).body.items;
    expect(platform.deliveries.map(({ event }) => event.data)).toEqual([fee]);
    expect((await world.api.get(`/v1/platform-fees/${fee.id}/refunds`)).body.items).toMatchObject([
      { platformFeeId: fee.id, amount: 75, currency: 'GBP', status: 'Succeeded' },
    ]);
    const [balance] = (await branch.get('/v1/balances')).body.items;
    expect(balance.pending.amount).toBe(2000 - 150 - 1000 + 75);
  },
);

test(
  'POST /transfers: moves money from a sub account to the platform and back, up to what is available',
  { tags: ['spec:4.7/POST/transfers', 'spec:4.7/GET/transfers', 'spec:4.7/GET/transfers/{id}'] },
  async () => {
    const platform = await world.listen('platform', ['Transfer.created', 'Transfer.updated']);
    await till.takes(2000);
    const order = { amount: 1500, currency: 'GBP', reason: 'rent', metadata: { month: 'January' } };
    const pull = { ...order, source: { accountId: world.subAccountId } };
    const push = { ...order, destination: { accountId: world.subAccountId } };

    const early = (await world.api.post('/v1/transfers', pull)).body;
    expect(early).toMatchObject({ status: 'Declined', errors: [{ code: 'InsufficientSourceBalance' }] });
    await world.settled();
    expect(platform.deliveries.map(({ event }) => [event.eventType, event.data.status])).toEqual([
      ['Transfer.created', 'Pending'],
      ['Transfer.updated', 'Declined'],
    ]);

    await world.advance({ minutes: 2 * DAY });
    const pulled = (await world.api.post('/v1/transfers', pull)).body;
    expect(pulled).toMatchObject({ status: 'Completed', ...pull });
    expect(pulled).not.toHaveProperty('destination');
    expect((await world.api.get(`/v1/transfers/${pulled.id}`)).body).toEqual(pulled);
    expect([await available(branch), await available(world.api)]).toEqual([500, 1500 - 48]);

    expect((await world.api.post('/v1/transfers', { ...push, amount: 1000 })).body.status).toBe('Completed');
    expect([await available(branch), await available(world.api)]).toEqual([1500, 500 - 48]);
    const { items } = (await world.api.get('/v1/transfers?ascending=true')).body;
    expect(items.map(({ amount, status }: typeof pulled) => [amount, status])).toEqual([
      [1500, 'Declined'],
      [1500, 'Completed'],
      [1000, 'Completed'],
    ]);
    expect((await branch.get('/v1/balance-transactions?limit=2')).body.items).toMatchObject([
      { type: 'TransferIn', amount: 1000 },
      { type: 'TransferOut', amount: -1500, origin: { id: pulled.id, accountId: world.platformId } },
    ]);
  },
);

test(
  'POST /transfers: needs one account of the platform, an amount and a currency',
  { tags: ['spec:4.7/transfer-within-platform'] },
  async () => {
    const side = { accountId: world.subAccountId };
    const post = (body: object) => world.api.post('/v1/transfers', { amount: 100, currency: 'GBP', ...body });
    expect((await post({})).body.errors[0].code).toBe('bad_request');
    expect((await post({ source: side, destination: side })).status).toBe(400);
    const stranger = 'ac_00000000-0000-4000-8000-000000000000';
    expect((await post({ source: { accountId: stranger } })).status).toBe(404);
    expect((await post({ destination: { accountId: world.platformId } })).status).toBe(404);
    expect((await post({ source: side, amount: 0 })).body.errors[0].code).toBe('invalid_field');
    expect((await post({ source: side, currency: 'XXX' })).body.errors[0].code).toBe('invalid_field');
    expect((await world.api.get('/v1/transfers')).body.items).toEqual([]);
  },
);

const FEES_OF_SUB_ACCOUNT = { total: 22, platform: { amount: 22, ryftFee: { amount: 22 } } };

test(
  'POST /conversions: sells one currency for another, priced then settled, with an event for each',
  {
    tags: [
      'spec:4.7/POST/conversions',
      'spec:4.7/GET/conversions',
      'spec:4.7/GET/conversions/{conversionId}',
    ],
  },
  async () => {
    const platform = await world.listen('platform', ['Conversion.created', 'Conversion.updated']);
    await till.takes(9000, { currency: 'EUR' });
    const rate = '/v1/conversions/rate?sellCurrency=EUR&sellAmount=5000&buyCurrency=GBP';
    expect((await branch.get(rate)).body).toEqual({
      sell: { amount: 5000, currency: 'EUR' },
      buy: { amount: 4303, currency: 'GBP', fees: FEES_OF_SUB_ACCOUNT },
      rate: 0.865,
      fees: FEES_OF_SUB_ACCOUNT,
      estimatedSettlementDate: '2026-01-05',
    });
    expect((await branch.get(rate.replace('sellAmount', 'amount'))).body.buy.amount).toBe(4303);
    expect((await branch.get(rate.replace('sellAmount=5000&', ''))).body.errors[0].code).toBe(
      'invalid_field',
    );

    const order = {
      sell: { amount: 5000, currency: 'EUR' },
      buy: { currency: 'GBP' },
      termAgreement: true,
      reason: 'rent in London',
    };
    expect((await branch.post('/v1/conversions', order)).body.errors[0].code).toBe('bad_request');
    await world.advance({ minutes: 2 * DAY });
    const ordered = (await branch.post('/v1/conversions', order)).body;
    expect(ordered).toMatchObject({
      status: 'InProgress',
      buy: { currency: 'GBP' },
      reason: 'rent in London',
      createdBy: { id: expect.stringMatching(/^ac_/), name: expect.any(String) },
    });
    expect(ordered.createdBy.id).not.toBe(world.subAccountId);
    expect(ordered).not.toHaveProperty('rate');
    expect(await available(branch, 'EUR')).toBe(4000);

    await world.advance({ seconds: 2 });
    const priced = (await branch.get(`/v1/conversions/${ordered.id}`)).body;
    expect(priced).toMatchObject({
      status: 'InProgress',
      rate: 0.865,
      buy: { amount: 4303, fees: FEES_OF_SUB_ACCOUNT },
      estimatedSettlementDate: '2026-01-07',
    });
    expect((await world.api.get(`/v1/conversions/${ordered.id}`)).status).toBe(404);

    await world.advance({ minutes: 8 * 60 });
    expect((await branch.get('/v1/conversions')).body.items).toMatchObject([
      {
        id: ordered.id,
        buy: { fees: FEES_OF_SUB_ACCOUNT },
        status: 'Settled',
        settledTimestamp: Date.UTC(2026, 0, 7, 16) / 1000,
      },
    ]);
    const before = `startTimestamp=1&endTimestamp=${ordered.createdTimestamp - 1}`;
    expect((await branch.get(`/v1/conversions?${before}`)).body.items).toEqual([]);
    expect(
      (await branch.get(`/v1/conversions?startTimestamp=${ordered.createdTimestamp}`)).body.items,
    ).toHaveLength(1);
    expect(await available(branch, 'GBP')).toBe(4303);
    expect(platform.types()).toEqual(['Conversion.created', 'Conversion.updated', 'Conversion.updated']);
    expect(platform.deliveries[2]!.event).toMatchObject({
      accountId: world.subAccountId,
      data: { buy: { fees: FEES_OF_SUB_ACCOUNT } },
    });
  },
);

test("POST /conversions: a conversion of the caller's own account names the service's fee everywhere", async () => {
  const shop = await world.listen('shop', ['Conversion.updated']);
  const own = { total: 22, ryft: { amount: 22 } };
  await openCheckout(world.api).captured({ amount: 9000, currency: 'EUR' });
  await world.advance({ minutes: 2 * DAY });
  const rate = '/v1/conversions/rate?sellCurrency=EUR&sellAmount=5000&buyCurrency=GBP';
  expect((await world.api.get(rate)).body).toMatchObject({ buy: { fees: own }, fees: own });
  const order = { sell: { amount: 5000, currency: 'EUR' }, buy: { currency: 'GBP' }, termAgreement: true };
  const { id } = (await world.api.post('/v1/conversions', order)).body;
  await world.advance({ seconds: 2 });
  expect((await world.api.get(`/v1/conversions/${id}`)).body.buy.fees).toEqual(own);
  expect((await world.api.get('/v1/conversions')).body.items[0].buy.fees).toEqual(own);
  expect(shop.deliveries[0]!.event).toMatchObject({ data: { id, buy: { fees: own } } });
});

test('POST /conversions: needs an agreement and two currencies, within the limits', async () => {
  const order = { sell: { amount: 100, currency: 'GBP' }, buy: { currency: 'EUR' }, termAgreement: true };
  const codeOf = async (change: object) =>
    (await branch.post('/v1/conversions', { ...order, ...change })).body.errors[0].code;
  expect(await codeOf({ termAgreement: false })).toBe('invalid_field');
  expect(await codeOf({ termAgreement: null })).toBe('invalid_field');
  expect(await codeOf({ sell: { amount: 29, currency: 'GBP' } })).toBe('invalid_field');
  expect(await codeOf({ buy: { currency: 'GBP' } })).toBe('invalid_field');
  expect(await codeOf({})).toBe('bad_request');
  expect((await branch.get('/v1/conversions')).body.items).toEqual([]);
});

test(
  'GET /conversions/rate: refused while trading is closed and above its rate limit',
  { tags: ['spec:4.7/GET/conversions/rate', 'spec:4.7/indicative-rate', 'refusal:desk_closed'] },
  async () => {
    const rate = '/v1/conversions/rate?sellCurrency=EUR&sellAmount=5000&buyCurrency=GBP';
    await world.advance({ minutes: 13 * 60 + 1 }); // a minute past ten in the evening
    expect((await branch.get(rate)).body.errors[0]).toMatchObject({ code: 'bad_request' });
    await world.advance({ seconds: 30 });
    expect((await branch.get(rate)).status).toBe(200);

    const strict = await startWorld({ settings: { rateLimit: 'on' } });
    try {
      const statuses: number[] = [];
      for (let asked = 0; asked < 4; asked++) statuses.push((await strict.api.get(rate)).status);
      expect(statuses).toEqual([200, 200, 429, 429]);
      await strict.advance({ seconds: 1 });
      // With engines that answer in real time, the rate is counted in it too.
      const answers = (path: string) => async () => (await strict.api.get(path)).status === 200;
      await strict.until('it may be asked again', answers(rate));
      await strict.until('the rest may be asked', answers('/v1/balances'));
    } finally {
      await strict.close();
    }
  },
);

test(
  'GET /balances: returns the requested currencies, with zeros for those never used',
  { tags: ['spec:4.7/GET/balances'] },
  async () => {
    await till.takes(2000);
    expect((await branch.get('/v1/balances?currency=EUR&currency=GBP')).body.items).toMatchObject([
      { currency: 'EUR', pending: { amount: 0 }, cleared: { amount: 0 }, available: { amount: 0 } },
      { currency: 'GBP', pending: { amount: 2000 } },
    ]);
    expect((await branch.get('/v1/balances?currency=XXX')).body.errors[0].code).toBe('invalid_field');
    expect((await branch.get('/v1/balance-transactions?payoutId=po_unknown')).body.items).toEqual([]);
  },
);

test(
  'GET /balance-transactions: returns pages',
  { tags: ['spec:4.7/GET/balance-transactions'] },
  async () => {
    for (const amount of [1000, 1100, 1200]) await till.takes(amount);
    const path = '/v1/balance-transactions?limit=2&ascending=true';
    const first = (await branch.get(path)).body;
    expect(first.items.map((item: { amount: number }) => item.amount)).toEqual([1000, 1100]);
    const second = (await branch.get(`${path}&startsAfter=${first.paginationToken}`)).body;
    expect(second.items.map((item: { amount: number }) => item.amount)).toEqual([1200]);
    expect(second.paginationToken).toBeNull();
  },
);
