// Tests of all the ways in which a runner runs tests, for the reporter to be tried on; run by report.test.ts alone.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startWorld, type Till, type UserWorld } from 'tapbench/world';

const tap = { act: 'present-card', card: 'visa-contactless' } as const;

test('one that passes', async () => {
  const world = await startWorld();
  const till = await world.openTill();
  expect((await till.takes(1742)).status).toBe('Captured');
  await world.close();
});

test('one that fails, and leaves its world open', async () => {
  const world = await startWorld();
  const till = await world.openTill();
  await till.pay(1742);
  await till.reaches('awaitingCard');
  console.log('the reader is 4012001038443335');
  expect(`${world.secretKey} 4012001038443335`).toBe('nothing');
});

let tries = 0;
test('one that passes when it is tried again', { retry: 2 }, async () => {
  const world = await startWorld();
  const till = await world.openTill();
  await till.takes(1000 + tries);
  await world.close();
  tries += 1;
  expect(tries).toBe(2);
});

describe('side by side', () => {
  test.concurrent.each([1001, 1002, 1003])('an amount of %d', async (amount) => {
    const world = await startWorld();
    const till = await world.openTill();
    expect((await till.takes(amount)).status).toBe('Captured');
    await world.close();
  });

  test.concurrent('one that says who it is', async ({ task }) => {
    await Promise.resolve();
    const world = await startWorld({ test: task });
    const till = await world.openTill();
    await till.takes(1742);
    await world.close();
  });
});

describe('a world for all of them', () => {
  let world: UserWorld;
  let till: Till;
  beforeAll(async () => {
    world = await startWorld();
    till = await world.openTill();
    await till.takes(500);
  });
  afterAll(() => world.close());

  test('the first', async () => {
    await till.takes(600);
  });
  test('the second', async () => {
    await till.pay(700);
    await till.reaches('awaitingCard');
    till.terminal.perform(tap);
    await world.settled();
  });
});

test('one with faults', async () => {
  // There is no endpoint, so the second fault strikes nothing.
  const world = await startWorld({ allowUnstruck: true });
  const till = await world.openTill();
  await world.api.post('/sandbox/faults', {
    title: 'a bad day',
    faults: [
      { at: 'message.report', what: 'twice', when: { message: 'action.completed' } },
      { at: 'webhook.attempt', what: 'twice' },
    ],
  });
  expect((await till.takes(1742)).status).toBe('Captured');
  await world.close();
});

test('one that fails after a fault has killed the server', async () => {
  const world = await startWorld();
  const kill = { at: 'server.commit', what: 'kill-after', when: { times: 3 } };
  await world.api.post('/sandbox/faults', { faults: [kill] });
  for (let count = 0; count < 6; count += 1)
    await world.api.post('/v1/customers', { email: 'ana@corner.example' }).catch(() => {});
  expect((await world.api.get('/v1/customers')).body.items).toEqual([]);
});

test('one with faked timers', async () => {
  vi.useFakeTimers();
  const world = await startWorld();
  const till = await world.openTill();
  await till.takes(1742);
  await world.close();
  vi.useRealTimers();
});

test('one without a world, that is named for 4012001038443335', () => {
  expect(1).toBe(1);
});

test('one that is skipped', ({ skip }) => skip());
