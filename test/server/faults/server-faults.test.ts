import { expect, test } from 'vitest';
import { startFaultTill, startFaultWorld } from './fault-world.ts';

const CARD = { act: 'present-card', card: 'visa-contactless' } as const;
const commit = (what: string, when: object, delayMs = 5_000) => ({
  at: 'server.commit',
  what,
  when,
  delayMs,
});

test('faults of the server: a store that is slow keeps all that is written waiting, in its order, and no reads', async () => {
  const { world, put, struck } = await startFaultWorld();
  await world.settled();
  const plan = await put(commit('delay', {}, 3_000));
  const done: string[] = [];
  const create = (name: string) =>
    world.api
      .post('/v1/customers', { email: `${name}@corner.example` })
      .then(({ status }) => done.push(`${name} ${status}`));
  const created = [create('ana'), create('bo'), create('cy')];
  await world.settled();
  expect((await world.api.get('/v1/customers')).body.items).toEqual([]);
  await world.advance({ ms: 2_999 });
  expect(done).toEqual([]);
  await world.advance({ ms: 1 });
  await Promise.all(created);
  expect(done).toEqual(['ana 200', 'bo 200', 'cy 200']);
  expect(await struck(plan)).toEqual(['delay server.commit']);
});

test('faults of the server: deleting the plan of a slow store lets what waits go on at once', async () => {
  const { world, put } = await startFaultWorld();
  await world.settled();
  const plan = await put(commit('delay', { times: 10 }, 60_000));
  const created = ['ana', 'bo'].map((name) =>
    world.api.post('/v1/customers', { email: `${name}@corner.example` }),
  );
  await world.settled();
  expect((await world.api.get('/v1/customers')).body.items).toEqual([]);
  expect((await world.api.delete(`/sandbox/faults/${plan}`)).status).toBe(200);
  expect((await Promise.all(created)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await world.api.post('/v1/customers', { email: 'cy@corner.example' })).status).toBe(200);
});

test('faults of the server: a payment whose transactions are all slow is captured once', async () => {
  const { world, till, put } = await startFaultTill();
  await put(commit('delay', { times: 1_000 }, 500));
  const paid = till.pay(1742);
  await world.advance({ seconds: 10 });
  const { body } = await paid;
  till.terminal.perform(CARD);
  await world.advance({ minutes: 1 });
  expect(await till.movements(body.action.transaction.paymentSessionId)).toEqual([
    'Authorization',
    'Capture',
  ]);
});

test('faults of the server: a server whose store is slow stops all the same, and has what was requested', async () => {
  const { world, put } = await startFaultWorld();
  await put(commit('delay', {}, 60_000));
  const created = world.api.post('/v1/customers', { email: 'ana@corner.example' });
  await world.settled();
  await world.restartServer();
  expect((await created).status).toBe(200);
  expect((await world.api.get('/v1/customers')).body.items).toHaveLength(1);
});

test('faults of the server: the broker is away for a while, every terminal returns, and the payment ends', async () => {
  for (const [at, message] of [
    ['message.command', 'action.start'],
    ['message.report', 'action.authorise'],
    ['message.command', 'action.decision'],
    ['message.report', 'action.completed'],
  ] as const) {
    const { world, till, put, struck } = await startFaultTill();
    const other = await world.addTerminal();
    const plan = await put({ at, what: 'broker-away', delayMs: 8_000, when: { message } });
    const { body } = await till.pay(1742);
    await world.settled();
    if (message !== 'action.start') till.terminal.perform(CARD);
    await world.settled();
    expect([message, till.terminal.online, other.online]).toEqual([message, false, false]);
    // A fault of one sandbox does not make a proxy leave out the server.
    expect((await world.api.get('/healthz')).status).toBe(200);
    await world.advance({ ms: 7_999 });
    expect([till.terminal.online, other.online]).toEqual([false, false]);
    await world.advance({ seconds: 20 });
    expect([till.terminal.online, other.online]).toEqual([true, true]);
    till.terminal.perform(CARD);
    await world.advance({ minutes: 1 });
    const { paymentSessionId } = body.action.transaction;
    expect([message, await till.movements(paymentSessionId)]).toEqual([
      message,
      ['Authorization', 'Capture'],
    ]);
    expect(await struck(plan)).toEqual([`broker-away ${message}`]);
  }
});
