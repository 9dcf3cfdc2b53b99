import { afterEach, beforeEach, expect, test } from 'vitest';
import { forkWakeMs, sleepStateOf } from '../../../server/sandboxes/sleep-state.ts';
import { openTill } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';
import type { Services } from '../../../server/platform/services.ts';
import { openPage } from '../dashboard/open-page.ts';

let world: World;
beforeEach(async () => void (world = await startWorld()));
afterEach(() => world.close());

const embedded = { isEmbedded: true, isNeeded: () => false };

/** Returns services of a program that simulates these terminals. */
const exporting = (services: Services, terminals: unknown): Services => ({
  ...services,
  program: { ...services.program, exportTerminals: async () => terminals },
});

test('sleepStateOf: a sandbox in which nothing goes on leaves its terminals, and when something is due in real time', async () => {
  const { services } = world.server;
  expect(await sleepStateOf(services, embedded)).toEqual({ wakeMs: null, terminals: [] });
  await services.store.transaction((tx) =>
    services.jobs.add(tx, { kind: 'a', key: 'a', dueMs: services.clock.nowMs() + 5_000 }),
  );
  const realMs = services.clock.nowMs() - services.clock.offsetMs;
  const sandbox = exporting(services, ['as they stand']);
  expect(await sleepStateOf(sandbox, embedded)).toEqual({
    wakeMs: realMs + 5_000,
    terminals: ['as they stand'],
  });
});

test('sleepStateOf: a sandbox stays open while a terminal takes a payment, and a fork of it is opened at once', async () => {
  const till = openTill(world, await world.addTerminal());
  await till.pay(1742);
  await till.reaches('awaitingCard');
  const { services } = world.server;
  expect(await sleepStateOf(services, embedded)).toBeUndefined();
  expect(await forkWakeMs(services)).toBe(0);
  await till.cancel();
  await world.advance({ ms: 1_000 });
  expect(await sleepStateOf(services, embedded)).toBeDefined();
});

test('sleepStateOf: a sandbox stays open while a page is open', async () => {
  const { live } = world.server.dashboard;
  const state = () =>
    sleepStateOf(world.server.services, { isEmbedded: true, isNeeded: () => live.isWatched() });
  const page = await openPage(world);
  expect(await state()).toBeUndefined();
  page.close(1000, 'left');
  expect(await state()).toBeDefined();
});

test('sleepStateOf: with an external broker, a sandbox stays open for each terminal that is not simulated here', async () => {
  const { services } = world.server;
  const { terminalId } = await world.addTerminal();
  const state = (terminals: unknown) =>
    sleepStateOf(exporting(services, terminals), { ...embedded, isEmbedded: false });
  expect(await state([])).toBeUndefined();
  expect(await state([{ terminalId }])).toBeDefined();
});
