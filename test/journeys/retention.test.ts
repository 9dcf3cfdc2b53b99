import { afterEach, expect, test } from 'vitest';
import { openCheckout } from '../kit/checkout.ts';
import { ledgerProblems } from '../kit/ledger.ts';
import { watchStore, type WatchedStore } from '../kit/query-plans.ts';
import { openTill } from '../kit/till.ts';
import { startWorld, type World } from '../kit/world.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

const DAY = 24 * 60;
const RETENTION_DAYS = 30;

let world: World;
let watched: WatchedStore;
afterEach(() => world.close());

async function start(retentionDays?: number): Promise<void> {
  world = await startWorld({
    settings: { retentionDays },
    aroundStore: (store) => (watched = watchStore(store)).store,
  });
}

async function count(table: string): Promise<number> {
  const row = await world.server.services.store.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`);
  return row!.n;
}

const status = async (path: string) => (await world.api.get(path)).status;

test('what has been finished for the days of the setting is deleted, and what is not stays', async () => {
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
    ['payment-sessions', page.paginationToken],
    ['events', eventPage.paginationToken],
  ]) {
    for (const ascending of [true, false]) {
      const next = await api.get(`/v1/${list}?limit=50&ascending=${ascending}&startsAfter=${token}`);
      expect(next.status).toBe(200);
      const all = (await api.get(`/v1/${list}?limit=50&ascending=${ascending}`)).body.items;
      const expected = all.filter(({ id }: Json) => (ascending ? id > token : id < token));
      expect(next.body.items.map(({ id }: Json) => id)).toEqual(expected.map(({ id }: Json) => id));
    }
  }
  expect(await status('/v1/payment-sessions?startsAfter=ps_7ZZZZZZZZZZZZZZZZZZZZZZZZZ')).toBe(400);
  expect(await status('/v1/payment-sessions?startsAfter=anything')).toBe(400);

  const retention = /FROM (events|actions|payment_sessions|payment_transactions|deliveries|three_ds_runs)/;
  const costly = await watched.costly();
  expect(costly.filter((line) => retention.test(line) && /seq > \?|DELETE|SELECT 1/.test(line))).toEqual([]);
}, 120_000);

test('an event that is still to be delivered stays until that is over', async () => {
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

test('without the setting nothing is deleted', async () => {
  await start();
  await openCheckout(world.api).captured();
  const events = await count('events');
  expect(events).toBeGreaterThan(0);
  await world.advance({ minutes: 400 * DAY });
  expect([await count('payment_sessions'), await count('events')]).toEqual([1, events]);
});

test('a reset of the sandbox keeps retention going', async () => {
  await start(RETENTION_DAYS);
  expect((await world.api.post('/sandbox/reset')).status).toBe(200);
  await openCheckout(world.api).captured();
  await world.advance({ minutes: (RETENTION_DAYS + 2) * DAY });
  expect([await count('payment_sessions'), await count('events')]).toEqual([0, 0]);
});
