import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startWorld, type UserWorld } from '../../testing/world/user-world.ts';

let world: UserWorld;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

async function forked(source: UserWorld): Promise<UserWorld> {
  const fork = await source.fork();
  onTestFinished(() => fork.close());
  return fork;
}

test('fork: begins with the objects of its source, and what is made later in one is not in the other', async () => {
  const before = await world.api.post('/v1/customers', { email: 'before@example.com' });
  const fork = await forked(world);
  await world.api.post('/v1/customers', { email: 'original@example.com' });
  await fork.api.post('/v1/customers', { email: 'fork@example.com' });
  const emails = async ({ api }: UserWorld) =>
    (await api.get('/v1/customers')).body.items.map(({ email }: { email: string }) => email).toSorted();
  expect([await emails(world), await emails(fork)]).toEqual([
    ['before@example.com', 'original@example.com'],
    ['before@example.com', 'fork@example.com'],
  ]);
  expect((await fork.api.get(`/v1/customers/${before.body.id}`)).body).toEqual(before.body);
});

test('fork: two forks of a world make the same ids, and none that it has made', async () => {
  const one = await forked(world);
  const two = await forked(world);
  const made = await Promise.all(
    [world, one, two].map(
      async ({ api }) => (await api.post('/v1/customers', { email: 'sam@example.com' })).body.id,
    ),
  );
  expect(made[1]).toBe(made[2]);
  expect(made[0]).not.toBe(made[1]);
});

test('fork: a payment at the PIN is approved in the fork, and its source still waits', async () => {
  const till = await world.openTill();
  await till.pay(1742);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contact-pin' });
  await till.reaches('awaitingPin');
  till.terminal.perform({ act: 'press-keys', keys: ['1', '2'] });
  await world.settled();

  const fork = await forked(world);
  const forkedTill = fork.tillOf(till.terminal.terminalId);
  forkedTill.terminal.perform({ act: 'press-keys', keys: ['3', '4', 'enter'] });
  await fork.settled();
  expect(await forkedTill.action()).toMatchObject({ status: 'Succeeded' });
  expect(await till.action()).toMatchObject({ status: 'InProgress' });
});

test('fork: a later fork has what its source did since the fork before, at the server and at the terminal', async () => {
  const till = await world.openTill();
  await till.pay(1742);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contact-pin' });
  await till.reaches('awaitingPin');
  await forked(world);
  till.terminal.perform({ act: 'press-keys', keys: ['1', '2', '3', '4'] });
  await world.settled();
  const typed = await forked(world);
  till.terminal.perform({ act: 'press-keys', keys: ['enter'] });
  await world.settled();
  const paid = await forked(world);

  expect(await paid.tillOf(till.terminal.terminalId).action()).toMatchObject({ status: 'Succeeded' });
  const typedTill = typed.tillOf(till.terminal.terminalId);
  expect(await typedTill.action()).toMatchObject({ status: 'InProgress' });
  typedTill.terminal.perform({ act: 'press-keys', keys: ['enter'] });
  await typed.settled();
  expect(await typedTill.action()).toMatchObject({ status: 'Succeeded' });
});

test('fork: the time goes on where it stood, in each alone', async () => {
  await world.api.post('/sandbox/clock/advance', { seconds: 3_600 });
  await world.settled();
  const fork = await forked(world);
  expect(fork.nowMs()).toBe(world.nowMs());
  const startMs = world.nowMs();
  await fork.advance({ minutes: 10 });
  expect([world.nowMs() - startMs, fork.nowMs() - startMs]).toEqual([0, 600_000]);
  const clock = await fork.api.get('/sandbox/clock');
  expect(clock.body).toMatchObject({ nowTimestamp: Math.floor(fork.nowMs() / 1000), offsetSeconds: 3_600 });
});

test('fork: a webhook between two tries is tried again in both', async () => {
  const till = await world.openTill();
  const hook = await world.listen('shop', ['PaymentSession.captured']);
  hook.behaviour = 503;
  await till.takes(1742);
  const fork = await forked(world);
  const tries = hook.deliveries.length;
  await world.advance({ minutes: 30 });
  await fork.advance({ minutes: 30 });
  const ids = fork.receiver('shop').deliveries.map(({ event }) => event.id);
  expect([hook.deliveries.length > tries, ids]).toEqual([true, [hook.deliveries[0]?.event.id]]);
});

test('fork: a fork of a fork has what both made before', async () => {
  await world.api.post('/v1/customers', { email: 'one@example.com' });
  const fork = await forked(world);
  await fork.api.post('/v1/customers', { email: 'two@example.com' });
  const again = await forked(fork);
  expect((await again.api.get('/v1/customers')).body.items).toHaveLength(2);
});

test('tillOf and receiver: what the world does not have is named', async () => {
  expect(() => world.tillOf('tml_1')).toThrow('the world has no terminal tml_1');
  expect(() => world.receiver('shop')).toThrow('the world has no receiver shop');
});
