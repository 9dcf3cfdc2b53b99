import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTill, type Till } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';
import { createWatchFixture } from './watch-fixture.ts';

let world: World;
let till: Till;
beforeEach(async () => {
  world = await startWorld();
  till = openTill(world, await world.addTerminal());
});
afterEach(() => world.close());

const ETX = '\u0003';
const DOWN = '\u001b[B';

test('watchFleet: shows a payment to its end with the deadline counting down', async () => {
  const { screen, type, ended } = await createWatchFixture(world);
  expect(screen.isAlternate).toBe(true);
  expect(screen.isCursorShown).toBe(false);
  expect(screen.rows.join('\n')).toMatch(/▸ SIM-1000 +ready/);

  await till.pay(1742);
  await world.advance({ ms: 20_500 });
  expect(screen.rows.join('\n')).toMatch(/▸ SIM-1000 +awaitingCard +17\.42 GBP +1:40/);
  expect(screen.rows.join('\n')).toMatch(/Action +InProgress +after action\.started +deadline in 1:40/);
  expect(screen.rows.join('\n')).toContain('● awaitingCard  · atDevice');

  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.advance({ seconds: 2 });
  const after = screen.rows.join('\n');
  expect(after).toContain('Action    Succeeded');
  expect(after).toContain('✓ awaitingCard  · atDevice  · outcomeUnknown  ✓ reading');
  expect(after).toContain('● succeeded');
  expect(after).toContain('step   approved.completing → succeeded');

  await type('q');
  await ended;
  expect(screen.isAlternate).toBe(false);
  expect(screen.isCursorShown).toBe(true);
});

test('watchFleet: arrow keys select the terminal whose action is shown', async () => {
  const other = openTill(world, await world.addTerminal());
  await other.pay(500);
  const { screen, type } = await createWatchFixture(world);
  expect(screen.rows.join('\n')).toContain('No action yet.');
  await type(DOWN);
  expect(screen.rows.join('\n')).toMatch(/▸ SIM-1001 +awaitingCard/);
  expect(screen.rows.join('\n')).toContain('── SIM-1001  Payment of 5.00 GBP');
  await type('\u001b[H');
  expect(screen.rows.join('\n')).toMatch(/▸ SIM-1000/);
  await type('qq');
});

test('watchFleet: Control-C restores the previous screen', async () => {
  const { screen, type, ended } = await createWatchFixture(world);
  await type(ETX);
  await ended;
  expect(screen.isAlternate).toBe(false);
  expect(screen.isCursorShown).toBe(true);
});

test('watchFleet: fits the output to any screen size', async () => {
  await till.pay(1742);
  const { screen, resize, interrupt } = await createWatchFixture(world);
  for (const [columns, rows] of [
    [120, 40],
    [60, 12],
    [20, 5],
    [1, 1],
    [80, 24],
  ] as const) {
    await resize(columns, rows);
    for (const row of screen.rows) expect([...row].length).toBeLessThanOrEqual(columns);
    if (columns >= 60) expect(screen.rows.join('\n')).toMatch(/▸ SIM-1000 .*awaitingCard/);
  }
  interrupt();
});

test('watchFleet: shows a lost connection and the reconnect', async () => {
  const { screen, cut, restore, interrupt } = await createWatchFixture(world);
  expect(screen.rows[0]).toContain('● connected');
  cut();
  await world.advance({ seconds: 3 });
  expect(screen.rows[0]).toContain('disconnected, retrying');
  await till.pay(1742);
  restore();
  await world.advance({ seconds: 10 });
  expect(screen.rows[0]).toContain('● connected');
  expect(screen.rows.join('\n')).toMatch(/▸ SIM-1000 +awaitingCard/);
  interrupt();
});

test('watchFleet: prints a line for each change when the output is not a terminal', async () => {
  const watcher = await createWatchFixture(world, { screen: false });
  await till.pay(1742);
  await world.advance({ ms: 500 });
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.advance({ seconds: 1 });
  watcher.cut();
  await world.advance({ seconds: 5 });
  watcher.interrupt();
  await watcher.ended;
  expect(watcher.lines.split('\n').map((line) => line.slice(10))).toEqual([
    'SIM-1000  online  ready',
    'SIM-1000  online  awaitingCard  Payment  17.42 GBP  InProgress  after action.started',
    'SIM-1000  online  approved  Payment  17.42 GBP  Succeeded',
    '',
  ]);
  expect(watcher.errors).toBe('disconnected from http://shop.example, retrying\n');
});
