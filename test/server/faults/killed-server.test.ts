import { expect, onTestFinished, test } from 'vitest';
import { observeOccurrences } from '../../../testing/hunt/hunted-fault.ts';
import { bookedTwice } from '../../hunt/tills/booked-twice.ts';
import { openTill } from '../../../testing/world/till.ts';
import { userWorldOf } from '../../../testing/world/user-world.ts';
import type { HuntScene } from '../../../testing/hunt/processes.ts';
import { tryPlan } from '../../../testing/hunt/tried-plan.ts';
import type { Answer } from '../../../testing/world/api.ts';
import type { World } from '../../../testing/world/world.ts';
import { ROUTES } from '../../../server/routes.ts';
import { startFaultWorld } from './fault-world.ts';
import { smallServer } from '../platform/http/small-server.ts';

const TAP = { script: 'tap', card: 'visa-contactless', delayMs: 1_000 } as const;

/** Sends a request with an idempotency key again until it has a reply, as a shop does. */
async function send(world: World, path: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'order-1' };
  for (;;) {
    let answer: Answer | undefined;
    const sent = world.api.raw('POST', path, JSON.stringify(body), headers).then(
      (reply) => void (answer = reply),
      () => undefined,
    );
    await world.clock.advanceUntil(sent);
    if (answer && answer.status !== 409) return answer;
    await world.advance({ seconds: 10 });
  }
}

/** Sells one order at the terminal, and returns what there is at the end. */
async function sell(world: World, terminalId: string) {
  const { status } = await send(world, `/v1/in-person/terminals/${terminalId}/payment`, {
    amounts: { requested: 1742 },
    currency: 'GBP',
  });
  await world.advance({ minutes: 10 });
  const { items: sessions } = (await world.api.get('/v1/payment-sessions')).body;
  const till = openTill(world, world.fleet.terminal(terminalId)!);
  const shop = world.receivers.named('shop')!;
  return {
    status,
    sessions: sessions.map((session: { status: string }) => session.status),
    movements: await Promise.all(sessions.map(({ id }: { id: string }) => till.movements(id))),
    events: (await world.api.get('/v1/events')).body.items.length,
    // A kill while the shop replies repeats that delivery.
    heard: [...new Set(shop.types())].sort(),
    action: (await till.action()).status,
  };
}

test('faults of the server: killed before or after any commit of a payment, it ends as without a fault', async () => {
  const { world } = await startFaultWorld({ idempotencyKeys: 'on' });
  const { terminalId } = await world.addTerminal({ cardholder: TAP });
  await world.listen('shop', ['PaymentSession.approved', 'PaymentSession.captured']);
  const calm = await world.fork();
  onTestFinished(() => calm.close());
  const observed = observeOccurrences(calm.watchServers);
  const expected = await sell(calm, terminalId);
  expect(expected).toMatchObject({ sessions: ['Captured'], movements: [['Authorization', 'Capture']] });
  const commits = observed().find(({ at }) => at === 'server.commit')!.count;
  expect(commits).toBeGreaterThan(5);
  for (let nth = 1; nth <= commits; nth += 1) {
    for (const what of ['kill-before', 'kill-after']) {
      const fork = await world.fork();
      const faults = [{ at: 'server.commit', what, when: { nth } }];
      const plan = (await fork.api.post('/sandbox/faults', { faults })).body.id;
      const first = fork.server;
      expect([what, nth, await sell(fork, terminalId)]).toEqual([what, nth, expected]);
      expect((await fork.api.get(`/sandbox/faults/${plan}`)).body).toMatchObject({
        struck: 1,
        status: 'Ended',
      });
      expect(fork.server).not.toBe(first);
      await fork.close();
    }
  }
});

test('faults of the server: killed twice, a server has what was committed and serves', async () => {
  const { world, put, struck } = await startFaultWorld();
  const plan = await put({ at: 'server.commit', what: 'kill-after', when: { times: 2 } });
  const create = (name: string) =>
    world.api.post('/v1/customers', { email: `${name}@corner.example` }).catch(String);
  expect(await create('ana')).toContain('the server was killed');
  expect(await create('bo')).toContain('the server was killed');
  expect(await create('cy')).toMatchObject({ status: 200 });
  expect((await world.api.get('/v1/customers')).body.items).toHaveLength(3);
  expect(await struck(plan)).toEqual(['kill-after server.commit', 'kill-after server.commit']);
});

test('hunt: a server that is killed, and slow while it starts again, needs time to pass and then serves', async () => {
  const { world } = await startFaultWorld();
  const till = bookedTwice(true);
  await till.prepare!(userWorldOf(world));
  const setUp = {
    ...till,
    verdicts: [],
    withoutVerdicts: [],
    shop: undefined,
    orderMember: 'orderId',
    terminalId: undefined,
  };
  const plan = [
    { at: 'server.commit', what: 'kill-after', when: { nth: 1 } } as const,
    { at: 'server.commit', what: 'delay', delayMs: 15_000, when: { nth: 2 } } as const,
  ];
  expect(await tryPlan(world, setUp, plan)).toMatchObject({ verdict: undefined, problem: undefined });
  expect((await world.api.get('/sandbox/faults')).body.items[0]).toMatchObject({ struck: 2 });
  // The reply to its first request was lost: a session that nobody pays.
  const { items } = (await world.api.get('/v1/payment-sessions')).body;
  expect(items.map(({ status }: { status: string }) => status)).toEqual(['Captured', 'PendingPayment']);
});

test('hunt: a server that is killed serves the same scenario again, and knows what was committed', async () => {
  const { world } = await startFaultWorld();
  const statuses: unknown[] = [];
  const setUp = {
    verdicts: [],
    withoutVerdicts: [],
    shop: undefined,
    orderMember: 'orderId',
    terminalId: undefined,
    async scenario({ world: { url, secretKey }, fetch, sleep }: HuntScene) {
      const headers = { authorization: secretKey, 'content-type': 'application/json' };
      const body = JSON.stringify({ email: 'ana@corner.example' });
      for (let tries = 0; tries < 2; tries += 1) {
        const reply = await fetch(`${url}/v1/customers`, { method: 'POST', headers, body }).catch(
          () => undefined,
        );
        statuses.push(reply?.status);
        await sleep(1_000);
      }
    },
  };
  const plan = [{ at: 'server.commit', what: 'kill-after', when: { nth: 1 } } as const];
  expect(await tryPlan(world, setUp, plan)).toMatchObject({ verdict: undefined, problem: undefined });
  expect(statuses).toEqual([undefined, 409]);
  expect((await world.api.get('/v1/customers')).body.items).toHaveLength(1);
});

test(
  'faults of the server: a plan that kills is refused where nothing starts the server again',
  { tags: ['refusal:no_kill'] },
  async () => {
    const { call } = await smallServer(ROUTES);
    const faults = [{ at: 'server.commit', what: 'kill-before' }];
    const { status, body } = await call('POST /sandbox/faults', { body: { faults } });
    expect([status, body.errors[0].message]).toEqual([
      409,
      expect.stringContaining('start it with --killable'),
    ]);
    expect((await call('GET /sandbox/faults')).body.items).toEqual([]);
  },
);

test(
  'faults of the server: one that ignores plans strikes nothing, refuses a new plan, and deletes the others',
  { tags: ['refusal:faults_ignored'] },
  async () => {
    const { world, put } = await startFaultWorld();
    const plan = await put({ at: 'api.request', what: 'unavailable', when: { times: 100 } });
    expect(await world.api.get('/v1/customers')).toMatchObject({ status: 503 });
    const fork = await world.fork({ settings: { faults: 'off' } });
    onTestFinished(() => fork.close());
    expect(await fork.api.get('/v1/customers')).toMatchObject({ status: 200 });
    const faults = [{ at: 'api.request', what: 'unavailable' }];
    const { status, body } = await fork.api.post('/sandbox/faults', { faults });
    expect([status, body.errors[0].message]).toEqual([409, expect.stringContaining('FAULTS=off')]);
    expect((await fork.api.get(`/sandbox/faults/${plan}`)).body).toMatchObject({
      status: 'Ignored',
      struck: 1,
    });
    expect(await fork.api.raw('DELETE', `/sandbox/faults/${plan}`)).toMatchObject({ status: 200 });
    expect((await fork.api.get('/sandbox/faults')).body.items).toEqual([]);
  },
);
