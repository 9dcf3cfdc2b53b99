import { afterEach, expect, test } from 'vitest';
import { saveCryptogram } from '../../server/bank/issuer/cryptogram-check.ts';
import { card, CARDS, openCheckout, type Checkout } from '../kit/checkout.ts';
import { ledgerProblems } from '../kit/ledger.ts';
import { recordQueries, type RecordingStore } from '../kit/query-plans.ts';
import { openTill } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

const DAY = 24 * 60;
const RETENTION_DAYS = 30;

let world: World;
let watched: RecordingStore;
afterEach(() => world.close());

async function start(retentionDays?: number): Promise<void> {
  world = await startWorld({
    settings: { retentionDays },
    aroundStore: (store) => (watched = recordQueries(store)).store,
  });
}

async function count(table: string): Promise<number> {
  const row = await world.server.services.store.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`);
  return row!.n;
}

/** Statements of retention that read a whole table. */
async function costlySteps(): Promise<string[]> {
  const ofRetention =
    /seq > \?|: DELETE(?! FROM api_keys)|SELECT (1|.* AS key) |FROM subscription\S+ WHERE \S*id = \?$/;
  return (await watched.slowStatements()).filter((line) => ofRetention.test(line));
}

/** A payment whose card its customer keeps. */
async function storedCard(shop: Checkout): Promise<Json> {
  const session = await shop.session({ customerEmail: 'ada@example.com' });
  return shop.pay(session, CARDS.plain, { paymentMethodOptions: { store: true } });
}

const status = async (path: string) => (await world.api.get(path)).status;

test('retention: finished objects older than the setting are deleted, unfinished ones are kept', async () => {
  await start(RETENTION_DAYS);
  const { api } = world;
  const shop = openCheckout(api);
  const receiver = await world.listen('shop', ['PaymentSession.captured']);

  const terminal = await world.addTerminal();
  const till = openTill(world, terminal);
  const first = await till.takes(1000);
  const second = await till.takes(2000);
  const [firstAction, lastAction] = await world.server.services.store.all<{ id: string }>(
    'SELECT id FROM actions ORDER BY seq',
  );
  // Its timers of every few seconds would make months long.
  await world.fleet.remove(terminal.terminalId);

  const old: Json[] = [];
  for (let n = 0; n < 130; n += 1) old.push(await shop.captured());
  const disputed = await shop.captured();
  const opened = await api.post(`/sandbox/payment-sessions/${disputed.id}/disputes`, {});
  expect(opened.status, JSON.stringify(opened.body)).toBe(200);
  const page = (await api.get('/v1/payment-sessions?limit=10&ascending=true')).body;
  const eventPage = (await api.get('/v1/events?limit=10&ascending=true')).body;
  const balances = async () => {
    const { body } = await api.get('/v1/balances');
    return body.items.map((item: Json) => item.available.amount + item.cleared.amount + item.pending.amount);
  };

  await world.advance({ minutes: (RETENTION_DAYS - 1) * DAY });
  expect(await status(`/v1/payment-sessions/${old[0].id}`)).toBe(200);
  const fresh = await shop.captured();
  const before = await balances();
  const ledgerRows = await count('balance_transactions');

  await world.advance({ minutes: 3 * DAY });
  for (const gone of [old[0], old.at(-1), first]) {
    expect(await status(`/v1/payment-sessions/${gone.id}`)).toBe(404);
  }
  expect(await status(`/v1/payment-sessions/${disputed.id}`)).toBe(200);
  expect(await status(`/v1/payment-sessions/${fresh.id}`)).toBe(200);
  expect(await status(`/sandbox/actions/${firstAction!.id}`)).toBe(404);
  expect(await status(`/sandbox/actions/${lastAction!.id}`)).toBe(200);
  expect((await api.get(`/v1/in-person/terminals/${terminal.terminalId}`)).body.action.id).toBe(
    lastAction!.id,
  );
  expect(await status(`/v1/payment-sessions/${second.id}`)).toBe(200);

  // Three payments are left: of the latest action, disputed, and fresh.
  expect(await count('payment_sessions')).toBe(3);
  expect(await count('events')).toBeLessThan(20);
  expect(await count('deliveries')).toBe(await count("events WHERE event_type = 'PaymentSession.captured'"));
  expect(receiver.deliveries.length).toBe(134);

  expect(await ledgerProblems(world)).toEqual([]);
  expect(await balances()).toEqual(before);
  expect(await count('balance_transactions')).toBe(ledgerRows);

  for (const [list, token] of [
    ['payment-sessions?startTimestamp=1&limit=50', page.paginationToken],
    ['events?limit=50', eventPage.paginationToken],
  ]) {
    for (const ascending of [true, false]) {
      const next = await api.get(`/v1/${list}&ascending=${ascending}&startsAfter=${token}`);
      expect(next.status).toBe(200);
      const all = (await api.get(`/v1/${list}&ascending=${ascending}`)).body.items;
      const expected = all.filter(({ id }: Json) => (ascending ? id > token : id < token));
      expect(next.body.items.map(({ id }: Json) => id)).toEqual(expected.map(({ id }: Json) => id));
    }
  }
  expect(await status('/v1/payment-sessions?startsAfter=ps_7ZZZZZZZZZZZZZZZZZZZZZZZZZ')).toBe(400);
  expect(await status('/v1/payment-sessions?startsAfter=anything')).toBe(400);

  expect(await costlySteps()).toEqual([]);
}, 120_000);

test('retention: an event that is still to be delivered is kept until its delivery ends', async () => {
  await start(1);
  const receiver = await world.listen('shop', ['PaymentSession.captured']);
  receiver.behaviour = 500;
  await openCheckout(world.api).captured();
  await world.settled();
  const { store } = world.server.services;
  await store.run(`UPDATE events SET created_ms = 0, updated_ms = 0`);
  await world.restartServer();
  await world.settled();
  const left = await store.all(`SELECT event_type FROM events`);
  expect(left).toEqual([{ event_type: 'PaymentSession.captured' }]);
});

test('retention: an old event is kept while its latest attempt of delivery is recent', async () => {
  await start(1);
  await world.listen('shop', ['PaymentSession.captured']);
  await openCheckout(world.api).captured();
  await world.settled();
  const { store } = world.server.services;
  await store.run(`UPDATE events SET created_ms = 0, updated_ms = 0`);
  await world.restartServer();
  await world.settled();
  const left = () => store.all(`SELECT event_type FROM events`);
  expect(await left()).toEqual([{ event_type: 'PaymentSession.captured' }]);

  await store.run(`UPDATE deliveries SET updated_ms = 0`);
  await world.restartServer();
  await world.settled();
  expect(await left()).toEqual([]);
});

test('retention: without the setting nothing is deleted', async () => {
  await start();
  await openCheckout(world.api).captured();
  const events = await count('events');
  expect(events).toBeGreaterThan(0);
  await world.advance({ minutes: 400 * DAY });
  expect([await count('payment_sessions'), await count('events')]).toEqual([1, events]);
});

test('retention: continues after a reset of the sandbox', async () => {
  await start(RETENTION_DAYS);
  expect((await world.api.post('/sandbox/reset')).status).toBe(200);
  await openCheckout(world.api).captured();
  await world.advance({ minutes: (RETENTION_DAYS + 2) * DAY });
  expect([await count('payment_sessions'), await count('events')]).toEqual([0, 0]);
});

test('retention: a payment with a closed dispute is deleted with it, its single-use cards and authentications', async () => {
  await start(RETENTION_DAYS);
  const { api } = world;
  const shop = openCheckout(api);
  const session = await shop.session();
  const expired = card(CARDS.plain, { expiryYear: '2025' });
  expect((await shop.attempt(session, { cardDetails: expired })).body.lastError).toBe('expired_card');
  expect((await shop.pay(session, CARDS.identify)).status).toBe('PendingAction');
  expect((await shop.pay(session, CARDS.plain)).status).toBe('Captured');
  const kept = await storedCard(shop);
  expect([await count('payment_methods'), await count('three_ds_runs')]).toEqual([4, 1]);
  const disputes: string[] = [];
  for (const { id } of [session, kept]) {
    disputes.push((await api.post(`/sandbox/payment-sessions/${id}/disputes`, {})).body.id);
  }
  await world.advance({ minutes: 10 * DAY });
  expect((await api.post(`/v1/disputes/${disputes[0]}/accept`)).status).toBe(200);
  const page = (await api.get('/v1/disputes?limit=1&ascending=true')).body;
  expect(page.paginationToken).toBe(disputes[0]);

  // The second dispute runs out on the fourteenth day.
  await world.advance({ minutes: (RETENTION_DAYS - 1) * DAY });
  expect(await status(`/v1/disputes/${disputes[0]}`)).toBe(200);
  await world.advance({ minutes: 2 * DAY });
  expect(await status(`/v1/disputes/${disputes[0]}`)).toBe(404);
  expect(await status(`/v1/payment-sessions/${session.id}`)).toBe(404);
  expect(await status(`/v1/disputes/${disputes[1]}`)).toBe(200);
  const next = await api.get(`/v1/disputes?ascending=true&startsAfter=${page.paginationToken}`);
  expect(next.body.items.map(({ id }: Json) => id)).toEqual([disputes[1]]);

  await world.advance({ minutes: 5 * DAY });
  for (const table of ['payment_sessions', 'payment_transactions', 'disputes', 'three_ds_runs']) {
    expect([table, await count(table)]).toEqual([table, 0]);
  }
  const cards = await world.server.services.store.all(`SELECT id FROM payment_methods`);
  expect(cards).toEqual([{ id: kept.paymentMethod.tokenizedDetails.id }]);
  expect(await ledgerProblems(world)).toEqual([]);
  expect(await costlySteps()).toEqual([]);
}, 120_000);

test('retention: an ended subscription is deleted with its payments; active ones and series are kept', async () => {
  await start(RETENTION_DAYS);
  const { api } = world;
  const shop = openCheckout(api);
  const first = await storedCard(shop);
  const customerId = first.customerDetails.id;
  const paymentMethod = { id: first.paymentMethod.tokenizedDetails.id };
  const subscribe = async (times?: number) => {
    const interval = { unit: 'Days', count: 7, ...(times && { times }) };
    const price = { amount: 900, currency: 'GBP', interval };
    const made = await api.post('/v1/subscriptions', { customer: { id: customerId }, price, paymentMethod });
    expect(made.body.status, JSON.stringify(made.body)).toBe('Active');
    return made.body;
  };
  const paymentsOf = async (id: string) => {
    const { body } = await api.get(`/v1/subscriptions/${id}/payment-sessions?limit=50&ascending=true`);
    return body.items.map((item: Json) => item.id);
  };
  const ending = await subscribe(4);
  const referred = await subscribe(2);
  const lasting = await subscribe();
  await world.advance({ minutes: 22 * DAY });
  expect((await api.get(`/v1/subscriptions/${ending.id}`)).body.status).toBe('Ended');
  const [firstOfReferred] = await paymentsOf(referred.id);
  const series = await shop.session({
    paymentType: 'Unscheduled',
    customerDetails: { id: customerId },
    previousPayment: { id: firstOfReferred },
    customerEmail: undefined,
  });

  await world.advance({ minutes: (RETENTION_DAYS - 3) * DAY });
  const { body: page } = await api.get('/v1/subscriptions?limit=1&ascending=true&startTimestamp=1');
  expect(page.paginationToken).toBe(ending.id);
  expect(await paymentsOf(ending.id)).toHaveLength(4);
  await world.advance({ minutes: 6 * DAY });
  expect(await status(`/v1/subscriptions/${ending.id}`)).toBe(404);
  const store = world.server.services.store;
  const links = await store.all(`SELECT * FROM subscription_sessions WHERE subscription_id = ?`, ending.id);
  expect(links).toEqual([]);

  // A payment of a series refers to the first of this one, which it goes on showing.
  const kept = await api.get(`/v1/subscriptions/${referred.id}`);
  expect(kept.body.paymentSessions.initial.clientSecret).toContain(firstOfReferred);
  expect(await paymentsOf(referred.id)).toHaveLength(2);
  expect((await shop.read(series)).previousPayment.id).toBe(firstOfReferred);

  expect((await api.get(`/v1/subscriptions/${lasting.id}`)).body.status).toBe('Active');
  expect((await paymentsOf(lasting.id)).length).toBeGreaterThan(6);
  const next = await api.get(
    `/v1/subscriptions?ascending=true&startTimestamp=1&startsAfter=${page.paginationToken}`,
  );
  expect(next.body.items.map(({ id }: Json) => id)).toEqual([referred.id, lasting.id]);
  expect(await ledgerProblems(world)).toEqual([]);
  expect(await costlySteps()).toEqual([]);
}, 120_000);

test('retention: a payment that can still be paid is kept, however short the setting', async () => {
  await start(1);
  const shop = openCheckout(world.api);
  const session = await shop.session();
  const forgotten = await shop.session();
  await world.advance({ minutes: 6 * DAY });
  expect((await shop.pay(session)).status).toBe('Captured');
  await world.advance({ minutes: 3 * DAY });
  for (const { id } of [session, forgotten]) expect(await status(`/v1/payment-sessions/${id}`)).toBe(404);
});

test('retention: expired account links and old cryptograms are deleted', async () => {
  await start(RETENTION_DAYS);
  const { api, clock } = world;
  const { store } = world.server.services;
  const { body: hosted } = await api.post('/v1/accounts', { email: 'ana@corner.example' });
  const link = async () => {
    const redirectUrl = 'https://shop.example/back';
    const made = await api.post('/v1/account-links', { accountId: hosted.id, redirectUrl });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
  };
  const see = (digest: string) => store.transaction((tx) => saveCryptogram(tx, digest, clock.nowMs()));
  await link();
  for (let n = 0; n < 250; n += 1) await see(`old ${n}`);
  await world.advance({ minutes: (RETENTION_DAYS - 1) * DAY });
  expect(await see('old 7')).toBe(false);
  await link();
  await see('new');
  expect([await count('account_links'), await count('seen_cryptograms')]).toEqual([2, 251]);
  await world.advance({ minutes: 3 * DAY });
  expect([await count('account_links'), await count('seen_cryptograms')]).toEqual([1, 1]);
  expect(await see('new')).toBe(false);
  expect(await costlySteps()).toEqual([]);
});
