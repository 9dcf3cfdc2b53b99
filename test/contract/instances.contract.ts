import { BANK_ACCOUNT } from '../../cli/trigger/account-paths.ts';
import { ACTION_MACHINE_NAMES } from '../../agent/inspection.ts';
import { expect, onTestFinished, test } from 'vitest';
import { seededRandom } from '../../protocol/ids.ts';
import { silentLog } from '../../protocol/log.ts';
import { createServer, type Server } from '../../server/app.ts';
import type { Store } from '../../server/platform/store/store.ts';
import { boundStore } from '../../testing/world/world-base.ts';
import { createApi, type Api } from '../../testing/world/api.ts';
import { openCheckout } from '../kit/checkout.ts';
import { createReceivers } from '../../testing/world/receivers.ts';
import { VirtualClock, turn } from '../../world/virtual-clock.ts';

const START_MS = Date.UTC(2026, 0, 5, 9);
const DAY_SECONDS = 86_400;

interface Instance {
  server: Server;
  api: Api;
  /** Its own sandbox time. */
  clock: VirtualClock;
}

interface Instances {
  store: Store;
  first: Instance;
  second: Instance;
  realClock: VirtualClock;
  /** Real time, by which they hear of each other, moves on by a second. */
  aSecondLater(): Promise<void>;
  settled(): Promise<void>;
}

/** What several servers on one store promise. `open` makes a new store with its tables. */
export function instancesContract(open: () => Promise<Store>): void {
  test('instances: sandbox time advanced on one reaches the other within a second, with what becomes due', async () => {
    const { first, second, aSecondLater, settled, store } = await twoInstances(open);
    const session = await openCheckout(second.api).approved();
    const moved = await first.api.post('/sandbox/clock/advance', { seconds: 6 * DAY_SECONDS });
    await settled();
    expect(second.clock.offsetMs).toBe(0);
    await aSecondLater();
    expect(second.clock.offsetMs).toBe(6 * DAY_SECONDS * 1000);
    expect(Math.abs(second.clock.nowMs() - first.clock.nowMs())).toBeLessThanOrEqual(2_000);

    // Whoever asks what time it is need not wait for that second.
    await second.api.post('/sandbox/clock/advance', { seconds: DAY_SECONDS });
    const asked = await first.api.get('/sandbox/clock');
    expect(asked.body.offsetSeconds).toBe(moved.body.offsetSeconds + DAY_SECONDS);
    await aSecondLater();
    expect((await first.api.get(`/v1/payment-sessions/${session.id}`)).body.status).toBe('Voided');
    expect(await store.get('SELECT count(*) AS n FROM payment_transactions WHERE type = ?', 'Void')).toEqual({
      n: 1,
    });
  });

  test('instances: two concurrent advances of the clock are both applied', async () => {
    const { first, second } = await twoInstances(open);
    await Promise.all([
      first.api.post('/sandbox/clock/advance', { seconds: 10 }),
      second.api.post('/sandbox/clock/advance', { seconds: 20 }),
    ]);
    for (const { api } of [first, second]) {
      expect((await api.get('/sandbox/clock')).body.offsetSeconds).toBe(30);
    }
  });

  test('instances: a request repeated on both with its idempotency key is done once, and both give the same answer', async () => {
    const { first, second, store } = await twoInstances(open);
    const body = JSON.stringify({ email: 'kim@example.com' });
    const send = ({ api }: Instance, key: string) =>
      api.raw('POST', '/v1/customers', body, { 'idempotency-key': key });
    const attempts = await Promise.all([first, second, first, second].map((one) => send(one, 'order-1')));
    const done = attempts.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThanOrEqual(1);
    expect(attempts.filter(({ status }) => status !== 200).every(({ status }) => status === 409)).toBe(true);
    for (const each of [first, second]) {
      const again = await send(each, 'order-1');
      expect([again.headers['idempotent-replayed'], again.body]).toEqual(['true', done[0]!.body]);
    }
    expect(await store.get('SELECT count(*) AS n FROM customers')).toEqual({ n: 1 });
    // A refusal of the store is kept too: the address is used.
    const refused = await send(first, 'order-2');
    expect([refused.status, (await send(second, 'order-2')).body]).toEqual([409, refused.body]);
  });

  test('instances: after a reset on one, the other knows none of the former accounts', async () => {
    const { first, second } = await twoInstances(open);
    const { body } = await first.api.post('/v1/accounts', { email: 'ana@corner.example' });
    const branch = second.api.as(body.id);
    expect((await branch.get('/v1/payment-sessions')).status).toBe(200);
    expect((await first.api.post('/sandbox/reset')).status).toBe(200);
    expect((await branch.get('/v1/payment-sessions')).status).toBe(403);
    expect((await branch.post('/v1/customers', { email: 'kim@example.com' })).status).toBe(403);
  });

  test('instances: an object deleted on two at once is deleted once', async () => {
    const { first, second } = await twoInstances(open);
    for (let round = 0; round < 10; round++) {
      const { body } = await first.api.post('/v1/customers', { email: `kim${round}@example.com` });
      const path = `/v1/customers/${body.id}`;
      const answers = await Promise.all([first.api.delete(path), second.api.delete(path)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
      const { items } = (await second.api.get('/v1/events?limit=2')).body;
      expect(items.map(({ eventType }: { eventType: string }) => eventType)).toEqual([
        'Customer.deleted',
        'Customer.created',
      ]);
    }
  });

  test('instances: a rate limit holds for both together, and for one of them when it gets all requests', async () => {
    const { first, second, realClock, settled } = await twoInstances(open, { rateLimit: 'on' });
    const later = async (ms: number) => {
      await realClock.advance(ms);
      await settled();
    };
    const passes = async ({ api }: Instance) => (await api.get('/v1/customers')).status === 200;
    await later(2_000);
    let passed = 0;
    for (let step = 0; step < 100; step += 1) {
      for (const one of [first, second]) if (await passes(one)) passed += 1;
      await later(100);
    }
    // In ten seconds 50, a burst of 10, and a burst at the second before it knows of that.
    expect(passed).toBeGreaterThanOrEqual(55);
    expect(passed).toBeLessThanOrEqual(70);

    await later(60_000);
    for (const one of [first, second])
      for (let step = 0; step < 50; step += 1) {
        expect([step, await passes(one)]).toEqual([step, true]);
        await later(200);
      }
  });

  test('instances: what became available at one whose clock is ahead is paid out by another', async () => {
    const { first, second, settled, aSecondLater } = await twoInstances(open);
    const { body: account } = await first.api.get('/sandbox/accounts');
    const subAccountId = account.items.find(({ type }: { type: string }) => type === 'Sub').id as string;
    const path = `/v1/accounts/${subAccountId}`;
    const { body: method } = await first.api.post(`${path}/payout-methods`, BANK_ACCOUNT);
    await first.api.patch(path, { settings: { payouts: { schedule: { type: 'Manual' } } } });
    await openCheckout(first.api).captured({ amount: 10_000 });
    await first.api.post('/sandbox/clock/advance', { seconds: 4 * DAY_SECONDS });
    await settled();
    await aSecondLater();
    // The other hears of it a second later.
    await first.api.post('/sandbox/clock/advance', { seconds: 60 });
    const transfer = { amount: 5_000, currency: 'GBP', destination: { accountId: subAccountId } };
    expect((await first.api.post('/v1/transfers', transfer)).body.status).toBe('Completed');
    expect(second.clock.nowMs()).toBeLessThan(first.clock.nowMs());
    for (const amount of [1_000, 4_000]) {
      const payout = { amount, currency: 'GBP', payoutMethodId: method.id };
      const { status, body } = await second.api.post(`${path}/payouts`, payout);
      expect([status, body.amount]).toEqual([200, amount]);
    }
  });

  test('instances: keys are not replaced while another server runs, however long idle, and are once all have ended', async () => {
    const { store, first, second, aSecondLater, realClock } = await twoInstances(open);
    const replacing = () =>
      instance('third', store, realClock, { secretKey: 'sk_sandbox_third', replaceKeys: true });
    for (let n = 0; n < 30; n++) await aSecondLater();
    await expect(replacing()).rejects.toThrow('--replace-keys: 2 other servers run on DATABASE_URL');
    await first.server.stop();
    await expect(replacing()).rejects.toThrow('--replace-keys: another server runs on DATABASE_URL');
    expect((await second.api.get('/v1/customers')).status).toBe(200);
    await second.server.stop();
    const third = await replacing();
    onTestFinished(() => third.server.stop());
    expect((await third.api.get('/v1/customers')).status).toBe(403);
    expect((await third.api.withKey('sk_sandbox_third').get('/v1/customers')).status).toBe(200);
  });
}

async function twoInstances(open: () => Promise<Store>, settings: InstanceSettings = {}): Promise<Instances> {
  const store = await open();
  const realClock = new VirtualClock(START_MS);
  const first = await instance('first', store, realClock, settings);
  const second = await instance('second', store, realClock, settings);
  const idle = () =>
    [first, second].every(
      ({ server, api }) => server.idle() && api.open === server.services.clockAdvances.openCalls,
    );
  let over = false;
  async function settled(): Promise<void> {
    for (let quiet = 0; quiet < 30 && !over; quiet = idle() ? quiet + 1 : 0) await turn();
  }
  for (const { clock } of [first, second]) clock.settleWith(settled);
  realClock.settleWith(settled);
  onTestFinished(async () => {
    await settled();
    over = true;
    await Promise.all([first.server.stop(), second.server.stop()]);
    await store.close();
  });
  const aSecondLater = async () => {
    await realClock.advance(1_000);
    // What an instance has heard by then happens after that.
    await settled();
  };
  return { store, first, second, settled, realClock, aSecondLater };
}

interface InstanceSettings {
  secretKey?: string;
  replaceKeys?: boolean;
  rateLimit?: 'on' | 'off';
}

async function instance(
  name: string,
  store: Store,
  realClock: VirtualClock,
  { secretKey = 'sk_sandbox_instances', replaceKeys = false, rateLimit = 'off' }: InstanceSettings = {},
): Promise<Instance> {
  const clock = new VirtualClock(START_MS);
  const created = await createServer({
    terminalMachine: ACTION_MACHINE_NAMES,
    settings: {
      mode: 'sandbox',
      secretKey,
      publicKey: 'pk_sandbox_instances',
      pairingSecret: 'a pairing secret for instances, long enough for anybody',
      dashboardToken: 'dash_a-token-for-instances-long-enough',
      rateLimit,
      magicAmounts: undefined,
      idempotencyKeys: 'on',
      publicUrl: 'http://tapbench.test',
    },
    // Closed when both are done with it.
    store: { ...boundStore(store), close: async () => {} },
    clock,
    realClock,
    random: seededRandom(name),
    log: silentLog,
    outgoing: createReceivers().outgoing,
    instanceId: name,
    sharedStore: true,
    replaceKeys,
  });
  let stopped: Promise<void> | undefined;
  const server: Server = { ...created, stop: () => (stopped ??= created.stop()) };
  await server.start().catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  return { server, clock, api: createApi(() => server, 'sk_sandbox_instances') };
}
