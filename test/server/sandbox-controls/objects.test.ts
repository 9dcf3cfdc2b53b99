import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Row } from '../../../server/platform/store/store.ts';
import type { ObjectType } from '../../../server/sandbox-controls/objects/object-type.ts';
import { OBJECT_TYPE_NAMES, OBJECT_TYPES } from '../../../server/sandbox-controls/objects/object-types.ts';
import { earn, EARNED_MINUTES, good, oneOfEach, type Json } from '../../journeys/one-of-each.ts';
import { historyLists } from '../../../server/dashboard/page/objects/stored-object.ts';
import { objectListQuery, requestQuery } from '../../../server/dashboard/page/list-filters.ts';
import { openCheckout } from '../../kit/checkout.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';

const LOGGED = { settings: { requestLog: { countMax: 10_000, days: 7 } } };
const ENDPOINT = {
  url: 'https://corner.example/hooks?token=1',
  active: true,
  eventTypes: ['Transfer.created'],
};
let world: World;
let own: Awaited<ReturnType<typeof oneOfEach>>;

// The tests of this file read, or change objects of their own.
beforeAll(async () => {
  world = await startWorld(LOGGED);
  const { platformId, subAccountId } = world;
  good(await world.api.post('/v1/webhooks', ENDPOINT));
  const ours = await earn(world, platformId);
  await earn(world, subAccountId);
  await world.advance({ minutes: EARNED_MINUTES });
  own = await oneOfEach(world, platformId, ours.payoutMethodId, subAccountId);
  good(
    await world.api.post('/v1/transfers', {
      amount: 100,
      currency: 'EUR',
      destination: { accountId: subAccountId },
    }),
  );
  const shop = openCheckout(world.api.as(subAccountId));
  const paid = await shop.captured({ amount: 2_000, platformFee: 100 });
  good(await shop.move(paid, 'refunds', { amount: 500, refundPlatformFee: true }));
});
afterAll(() => world.close());

async function list(query: string): Promise<Json[]> {
  return good(await world.api.get(`/sandbox/objects?${query}`)).items;
}

async function read(id: string): Promise<Json> {
  return good(await world.api.get(`/sandbox/objects/${encodeURIComponent(id)}`));
}

/** Payments of the sub account: their amounts are of no other payment. */
const shop = () => openCheckout(world.api.as(world.subAccountId));

test.each([...OBJECT_TYPE_NAMES, 'balance'])(
  'objects: one of each type is listed, and its id leads to it: %s',
  async (type) => {
    const [first] = await list(`type=${type}`);
    expect(first).toMatchObject({ type, deleted: false });
    const detail = await read(first.id);
    const {
      object,
      state: _state,
      names,
      namedBy: _namedBy,
      history,
      nextMoment: _next,
      actions: _actions,
      ...summary
    } = detail;
    expect(summary).toEqual(first);
    if (type !== 'balance') expect(object.id).toBe(first.id);
    for (const { id } of names) if (!id.startsWith('sp_')) expect((await read(id)).id).toBe(id);
    expect(Object.keys(history)).toEqual(['states', 'events', 'requests', 'entries', 'hasMore']);
    const { items } = good(await world.api.get(`/sandbox/search?text=${encodeURIComponent(first.id)}`));
    expect(items).toMatchObject([{ id: first.id, type }]);
  },
);

test('objects: a list has those of all accounts, or of one, and fits status, category and text', async () => {
  const all = await list('type=paymentSession&limit=50');
  const accounts = new Set(all.map(({ accountId }) => accountId));
  expect(accounts).toEqual(new Set([world.platformId, world.subAccountId]));
  const ofBranch = await list(`type=paymentSession&limit=50&account=${world.subAccountId}`);
  expect(ofBranch.length).toBeLessThan(all.length);
  expect(new Set(ofBranch.map(({ accountId }) => accountId))).toEqual(new Set([world.subAccountId]));
  expect(await list('type=transaction&category=Refund')).toMatchObject([{ label: 'Refund', amount: 500 }]);
  expect(await list('type=dispute&status=Open')).toMatchObject([{ id: own.disputeId }]);
  expect(await list('type=dispute&status=Won')).toEqual([]);
  expect(await list('type=customer&text=KIM%40')).toMatchObject([{ label: 'kim@example.com' }]);
  expect(await list('type=customer&text=nobody')).toEqual([]);
});

test('objects: a list goes on page by page, and refuses what it cannot answer', async () => {
  const first = good(await world.api.get('/sandbox/objects?type=event&limit=2'));
  const second = good(
    await world.api.get(`/sandbox/objects?type=event&limit=2&startsAfter=${first.paginationToken}`),
  );
  expect(new Set([...first.items, ...second.items].map(({ id }: Json) => id)).size).toBe(4);
  for (const [query, message] of [
    ['', 'type'],
    ['?type=nothing', 'type'],
    ['?type=event&limit=99', 'limit'],
    ['?type=event&startsAfter=ev_none', 'startsAfter'],
    ['?type=event&startTimestamp=9&endTimestamp=3', 'startTimestamp'],
  ]) {
    const { status, body } = await world.api.get(`/sandbox/objects${query}`);
    expect([status, body.errors[0].message]).toEqual([400, expect.stringContaining(message!)]);
  }
  expect((await world.api.get('/sandbox/objects/cus_01J9Z6M1N2P3Q4R5S6T7V8W9XA')).status).toBe(404);
  expect((await world.api.get('/sandbox/objects/nothing')).status).toBe(404);
});

test('objects: relations lead both ways', async () => {
  const customer = await read(own.customerId);
  const types = Object.fromEntries(customer.namedBy.map(({ type, items }: Json) => [type, items[0].id]));
  expect(types).toMatchObject({ paymentMethod: own.paymentMethodId, subscription: own.subscriptionId });
  const { names } = await read(own.subscriptionId);
  expect(names).toEqual(
    expect.arrayContaining([
      { member: 'account', id: world.platformId },
      { member: 'customer.id', id: own.customerId },
      { member: 'paymentMethod.id', id: own.paymentMethodId },
    ]),
  );
  const [billed] = await list(`type=paymentSession&object=${own.subscriptionId}`);
  expect((await read(billed.id)).names).toContainEqual({ member: 'subscription', id: own.subscriptionId });
});

/** Tables that are written seldom, or whose rows name others in their text. */
const READ_WHOLE = ['accounts', 'persons', 'disputes', 'orders', 'skus'];

test('objects: what names an object is found by an index, unless its table is small', async () => {
  const { store } = world.server.services;
  for (const { table, references, listed = '1 = 1' } of Object.values<ObjectType>(OBJECT_TYPES)) {
    if (READ_WHOLE.includes(table)) continue;
    // Of an account and of an endpoint of webhooks the latest rows are found newest first.
    const looked = references.filter(({ to }) => to !== 'account' && to !== 'webhook');
    for (const { to, column, where } of looked) {
      const condition = where ?? `${column} = ?`;
      const plan = await store.all<Row & { detail: string }>(
        `EXPLAIN QUERY PLAN SELECT id FROM ${table} WHERE ${condition} AND ${listed}`,
        'x',
      );
      const scans = plan.map(({ detail }) => detail).filter((detail) => detail.startsWith('SCAN'));
      expect([table, to, scans]).toEqual([table, to, []]);
    }
  }
});

test('objects: a payment shows its states, events, requests and ledger entries', async () => {
  const session = await shop().approved({ amount: 3_300 });
  good(await shop().move(session, 'captures'));
  good(await shop().move(session, 'refunds', { amount: 300 }));
  const { history, state, namedBy, nextMoment } = await read(session.id);
  expect(history.states.map(({ status }: Json) => status)).toEqual([
    'PendingPayment',
    'Approved',
    'Captured',
  ]);
  expect(history.events.map(({ eventType }: Json) => eventType)).toEqual([
    'PaymentSession.refunded',
    'PaymentSession.captured',
    'PaymentSession.approved',
  ]);
  expect(history.requests.map(({ method, path }: Json) => `${method} ${path}`)).toEqual([
    `POST /v1/payment-sessions/${session.id}/refunds`,
    `POST /v1/payment-sessions/${session.id}/captures`,
    'POST /v1/payment-sessions/attempt-payment',
    'POST /v1/payment-sessions',
  ]);
  expect(history.entries.map(({ type }: Json) => type)).toEqual(['TransactionRefund', 'TransactionCapture']);
  for (const { postings } of history.entries) {
    const sum = postings.reduce((total: number, { amount }: Json) => total + amount, 0);
    expect([postings.length > 1, sum]).toEqual([true, 0]);
  }
  expect([state, nextMoment]).toEqual(['captured', null]);
  const transactions = namedBy.find(({ type }: Json) => type === 'transaction');
  expect(transactions.items.map(({ label }: Json) => label)).toEqual(['Refund', 'Capture', 'Authorization']);
  const refund = await read(transactions.items[0].id);
  expect(refund.history.events.map(({ eventType }: Json) => eventType)).toEqual(['PaymentSession.refunded']);
  expect(refund.history.entries).toEqual([history.entries[0]]);
});

/** Returns the ids that the lists of the whole history of an object have, newest first. */
async function listedHistory(id: string) {
  const { events, requests, entries } = historyLists(id);
  const page = async (path: string): Promise<Json[]> => good(await world.api.get(`${path}&limit=50`)).items;
  const transactions = await page(`/sandbox/objects?${objectListQuery(entries.filters)}`);
  const details = await Promise.all(transactions.map(({ id: transaction }) => read(transaction)));
  return {
    events: (await page(`/sandbox/objects?${objectListQuery(events.filters)}`)).map((one) => one.id),
    requests: (await page(`/sandbox/requests?${requestQuery(requests.filters)}`)).map((one) => one.id),
    entries: new Set(details.map(({ history }) => history.entries[0].id)),
  };
}

test.each([...OBJECT_TYPE_NAMES, 'balance'])(
  'objects: the lists of the history of an object have its entries and no others: %s',
  async (type) => {
    for (const { id } of await list(`type=${type}&limit=10`)) {
      const { history } = await read(id);
      const ids = (part: Json[]) => part.map((one) => one.id);
      expect([id, await listedHistory(id)]).toEqual([
        id,
        {
          events: ids(history.events.slice(0, 50)),
          requests: ids(history.requests.slice(0, 50)),
          entries: new Set(ids(history.entries)),
        },
      ]);
    }
  },
);

test('objects: the ledger entries of sessions, disputes and balances are told apart', async () => {
  const count = async (id: string) => (await listedHistory(id)).entries.size;
  const balances = await list('type=balance');
  const ofPlatform = balances.filter(({ accountId }) => accountId === world.platformId);
  expect(ofPlatform.length).toBeGreaterThan(1);
  const [account, ...each] = [
    await count(world.platformId),
    ...(await Promise.all(ofPlatform.map(({ id }) => count(id)))),
  ];
  for (const ofBalance of each) expect(ofBalance).toBeLessThan(account);
  const [dispute] = await list('type=dispute');
  expect(await count(dispute.id)).toBe(1);
});

test('objects: a history of more than a hundred requests says so', async () => {
  const session = await shop().session({ amount: 3_450 });
  const touch = async () => good(await shop().update(session, { metadata: { order: '1' } }));
  for (let times = 0; times < 99; times += 1) await touch();
  expect((await read(session.id)).history.hasMore.requests).toBe(false);
  await touch();
  const { history } = await read(session.id);
  expect([history.requests.length, history.hasMore]).toEqual([
    100,
    { events: false, requests: true, entries: false },
  ]);
});

test('objects: the state that no event shows is that of the reply to its request', async () => {
  const session = await shop().session({ amount: 3_400 });
  const { history, nextMoment } = await read(session.id);
  expect(history.states).toMatchObject([{ status: 'PendingPayment', eventId: null }]);
  expect(nextMoment.what).toBe('the payment session expires');
  await world.advance({
    seconds: nextMoment.timestamp - Math.floor(world.server.services.clock.nowMs() / 1000),
  });
  expect((await read(session.id)).state).toBe('expired');
});

test('objects: no secret is shown', async () => {
  const session = await shop().session({ amount: 3_500 });
  const text = JSON.stringify(await read(session.id));
  expect(text).not.toContain(session.clientSecret);
});

test('objects: the history is there after a restart of the server', async () => {
  const session = await shop().captured({ amount: 3_600 });
  const before = await read(session.id);
  await world.restartServer();
  expect(await read(session.id)).toEqual(before);
});

test('objects: a deleted object is found by its id, and in no list', async () => {
  const { id } = good(await world.api.post('/v1/customers', { email: 'gone@corner.example' }));
  good(await world.api.raw('DELETE', `/v1/customers/${id}`));
  expect(await read(id)).toMatchObject({ deleted: true, label: 'gone@corner.example' });
  expect(await list('type=customer&text=gone%40')).toEqual([]);
});

test('search: an id of a request, a serial number and an e-mail address lead to their places', async () => {
  const find = async (text: string) =>
    good(await world.api.get(`/sandbox/search?text=${encodeURIComponent(text)}`)).items;
  const refused = await world.api.post('/v1/customers', { email: 'no address' });
  const [request] = await find(refused.body.requestId);
  expect(request).toMatchObject({ type: 'request', label: 'POST /v1/customers' });
  expect(await find(request.id)).toEqual([request]);
  const { serialNumber } = good(await world.api.get(`/v1/in-person/terminals/${own.terminals}`)).device;
  expect(await find(serialNumber)).toMatchObject([{ id: own.terminals, type: 'terminal' }]);
  expect(await find('KIM@example.com')).toMatchObject([{ id: own.customerId, type: 'customer' }]);
  expect(await find('cus_01J9Z6M1N2P3Q4R5S6T7V8W9XA')).toEqual([]);
});
