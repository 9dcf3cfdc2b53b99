import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../protocol/log.ts';
import { openStore } from '../../server/platform/store/open-store.ts';
import { withNetworkFaults } from '../../simulator/network-faults.ts';
import { openTill, type Till } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import type { WorldOptions } from '../../testing/world/world-options.ts';

const HEARD = [
  'Terminal.action_updated',
  'PaymentSession.approved',
  'PaymentSession.captured',
  'PaymentSession.declined',
];

let folder: string;
const worlds: World[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapbench-fork-'));
});
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a world on the store in a file of the folder. */
async function worldOn(name: string, options: WorldOptions = {}): Promise<World> {
  const store = await openStore({ path: join(folder, name), log: silentLog });
  const world = await startWorld({
    aroundStore(ownStore) {
      void ownStore.close();
      return store;
    },
    ...options,
  });
  worlds.push(world);
  return world;
}

/** Starts a world with a copy of another's store, and with its terminals as they stand. Returns the till of the first. */
async function fork(world: World, name: string) {
  const members = await world.fleet.exportState();
  for (const part of ['', '-wal']) {
    const from = join(folder, `original${part}`);
    if (existsSync(from)) copyFileSync(from, join(folder, `${name}${part}`));
  }
  const forked = await worldOn(name, { startMs: world.clock.nowMs() });
  const events: string[] = [];
  forked.watchSteps(({ event }) => events.push(event));
  const shop = forked.receivers.open('shop');
  for (const member of members) await forked.fleet.add(member);
  const terminal = forked.fleet.terminals()[0]!;
  await forked.until('the terminal is online', () => terminal.online);
  return { world: forked, till: openTill(forked, terminal), events, shop };
}

async function typed(till: Till, world: World, keys: ('1' | '2' | '3' | '4' | '9' | 'enter' | 'cancel')[]) {
  till.terminal.perform({ act: 'press-keys', keys });
  await world.settled();
}

test('a payment forked at the PIN with two digits typed: approved in one fork, timed out in the other, and the original goes on', async () => {
  const original = await worldOn('original');
  const till = openTill(original, await original.addTerminal());
  const shop = await original.listen('shop', HEARD);
  const started = await till.pay(1000);
  const sessionId = started.body.action.transaction.paymentSessionId;
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contact-pin' });
  await till.reaches('awaitingPin');
  await typed(till, original, ['1', '2']);
  await original.advance({ seconds: 20 });

  const atPin = await original.fleet.exportState();
  const one = await fork(original, 'one');
  const other = await fork(original, 'other');
  const start = await till.action();
  expect(await one.till.action()).toEqual(start);
  expect(await other.till.action()).toEqual(start);

  await typed(one.till, one.world, ['3', '4', 'enter']);
  expect(await one.till.session(sessionId)).toMatchObject({ status: 'Captured' });
  expect(await one.till.action()).toMatchObject({ status: 'Succeeded' });
  expect(await one.till.movements(sessionId)).toEqual(['Authorization', 'Capture']);
  expect(one.till.terminal.printed.at(-1)!.text).toContain('PIN VERIFIED');
  expect(one.shop.types()).toEqual([
    'PaymentSession.approved',
    'Terminal.action_updated',
    'PaymentSession.captured',
  ]);

  await other.world.advance({ seconds: 39 });
  expect(await other.till.action()).toMatchObject({ status: 'InProgress' });
  await other.world.advance({ seconds: 1 });
  expect(await other.till.action()).toMatchObject({ status: 'Failed', error: { code: 'timeout' } });
  expect(await other.till.session(sessionId)).toMatchObject({ status: 'PendingPayment' });
  expect(await other.till.movements(sessionId)).toEqual([]);
  expect(other.shop.types()).toEqual(['Terminal.action_updated']);
  for (const { events } of [one, other]) expect(events).not.toContain('power.returned');

  expect(await original.fleet.exportState()).toEqual(atPin);
  expect(await till.action()).toEqual(start);
  await typed(till, original, ['9', '9', 'enter']);
  expect(till.terminal.screen.join(' ')).toContain('Wrong PIN, 2 tries left');
  await typed(till, original, ['cancel']);
  expect(await till.action()).toMatchObject({ status: 'Failed', error: { code: 'cancelled_on_terminal' } });
  expect(shop.types()).toEqual(['Terminal.action_updated', 'Terminal.action_updated']);
});

test('a fleet with terminals that are idle, wait for a card or are switched off: a fork goes on with each', async () => {
  const original = await worldOn('original');
  const idle = await original.addTerminal();
  const busy = openTill(original, await original.addTerminal());
  const off = await original.addTerminal();
  await busy.pay(1000);
  await busy.reaches('awaitingCard');
  off.perform({ act: 'power', state: 'off' });
  await original.settled();

  const { world } = await fork(original, 'one');
  const at = (terminalId: string) => openTill(world, world.fleet.terminal(terminalId)!);
  expect(
    world.fleet.terminal(off.terminalId)!.perform({ act: 'present-card', card: 'apple-pay' }),
  ).toMatchObject({
    problem: 'the terminal is switched off',
  });
  expect(await at(idle.terminalId).takes(2000)).toMatchObject({ status: 'Captured' });
  at(busy.terminal.terminalId).terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.settled();
  expect(await at(busy.terminal.terminalId).action()).toMatchObject({ status: 'Succeeded' });
  expect(await busy.action()).toMatchObject({ status: 'InProgress' });
  expect(await openTill(original, idle).action()).toBeNull();
});

const never = { min: 1e12, max: 1e12 + 1 };
/** A network on which each message takes a second. */
const SLOW = { upMs: never, downMs: never, lossRate: 0, repeatRate: 0, delayMs: { min: 1000, max: 1001 } };

test('a payment forked while a message is under way: each fork inquires and captures it, once', async () => {
  const original = await worldOn('original', {
    terminalConnector: (connect, { clock }) =>
      withNetworkFaults(connect, { clock, seed: 'slow', faults: SLOW }),
    cardholder: { script: 'tap', delayMs: 500 },
  });
  const till = openTill(original, await original.addTerminal());
  await original.advance({ seconds: 5 });
  const { body } = await till.pay(1000);
  const sessionId = body.action.transaction.paymentSessionId;

  const terminalStates: (string | undefined)[] = [];
  for (let number = 0; (await till.session(sessionId)).status !== 'Captured'; number++) {
    terminalStates.push(till.terminal.status.state);
    const forked = await fork(original, `fork-${number}`);
    await forked.world.advance({ seconds: 5 });
    expect(await forked.till.action()).toMatchObject({ status: 'Succeeded' });
    expect(await forked.till.session(sessionId)).toMatchObject({ status: 'Captured' });
    expect(await forked.till.movements(sessionId)).toEqual(['Authorization', 'Capture']);
    expect(forked.events).not.toContain('power.returned');
    await original.advance({ seconds: 1 });
  }
  expect(new Set(terminalStates)).toEqual(
    new Set([undefined, 'awaitingCard', 'authorising', 'approved.completing']),
  );
  expect(await till.movements(sessionId)).toEqual(['Authorization', 'Capture']);
});
