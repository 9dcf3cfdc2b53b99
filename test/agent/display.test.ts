import { expect, test } from 'vitest';
import { createActor, type EventFromLogic } from 'xstate';
import { getStateNodes } from 'xstate/graph';
import { createDisplay, screenOf } from '../../agent/display.ts';
import { actionMachine } from '../../agent/lifecycle/action.machine.ts';
import type { Envelope } from '../../protocol/message.ts';
import { cardOf, NOW_MS, START, TERMINAL_ID } from './agent-fixture.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A display, what it shows, and what was told of it. */
function fixture() {
  const shown = { lines: ['Ready'], online: true };
  const told: string[][] = [];
  const screens: string[][] = [];
  const display = createDisplay({
    terminalId: TERMINAL_ID,
    readLines: () => shown.lines,
    actionId: () => undefined,
    isOnline: () => shown.online,
    publish: ({ payload }: Envelope) =>
      void told.push((JSON.parse(payload.toString()) as { lines: string[] }).lines),
    onScreen: (lines) => void screens.push(lines),
  });
  const shows = (...lines: string[]) => {
    shown.lines = lines;
    display.show();
  };
  return { shown, told, screens, display, shows };
}

test('display: publishes only the last text of one turn', async () => {
  const { told, screens, shows } = fixture();
  for (const line of ['Present card', 'Reading card', 'Authorising']) shows(line);
  await turn();
  expect(told).toEqual([['Authorising']]);
  expect(screens).toEqual([['Present card'], ['Reading card'], ['Authorising']]);
});

test('display: publishes an unchanged text once for each connection', async () => {
  const { told, display, shows } = fixture();
  shows('Present card');
  await turn();
  shows('Authorising');
  shows('Present card');
  await turn();
  expect(told).toEqual([['Present card']]);
  display.connected();
  await turn();
  expect(told).toEqual([['Present card'], ['Present card']]);
});

test('display: publishes nothing offline, and the current text after connecting', async () => {
  const { told, shown, display, shows } = fixture();
  shown.online = false;
  shows('Present card');
  await turn();
  expect(told).toEqual([]);
  shown.online = true;
  display.connected();
  await turn();
  expect(told).toEqual([['Present card']]);
});

const leaves = getStateNodes(actionMachine).filter((node) => node.type === 'atomic' || node.type === 'final');

function snapshotAt(path: string[], context: Partial<ReturnType<typeof contextOf>> = {}) {
  const value = path.reduceRight<unknown>(
    (inner, name) => (inner === undefined ? name : { [name]: inner }),
    undefined,
  );
  return actionMachine.resolveState({ value: value as never, context: { ...contextOf(), ...context } });
}

function contextOf() {
  return createActor(actionMachine, { input: { start: START, atMs: NOW_MS } }).getSnapshot().context;
}

test('screen: shows without an action whether the terminal is ready', () => {
  expect(screenOf(undefined, true)).toEqual(['Ready']);
  expect(screenOf(undefined, false)).toEqual(['Connecting']);
});

test.each(leaves.map((node) => [node.path.join('.'), node.path] as const))(
  'screen: in %s shows the amount and a text',
  (_, path) => {
    const [amount, line] = screenOf(snapshotAt(path), true);
    expect(amount).toBe('17.42 GBP');
    expect(line).not.toBe('');
  },
);

const READ: EventFromLogic<typeof actionMachine> = {
  type: 'card.read',
  card: cardOf('Contact'),
  pin: 'pin',
  atMs: NOW_MS,
};

test('screen: shows the PIN request and the tries left, and never the PIN', () => {
  const actor = createActor(actionMachine, { input: { start: START, atMs: NOW_MS } }).start();
  actor.send(READ);
  expect(screenOf(actor.getSnapshot(), true)).toEqual(['17.42 GBP', 'Enter PIN']);
  expect(screenOf(actor.getSnapshot(), true, 2)).toEqual(['17.42 GBP', 'Enter PIN', '**']);
  actor.send({ type: 'pin.entered', atMs: NOW_MS });
  actor.send({ type: 'pin.rejected', triesLeft: 1, atMs: NOW_MS });
  expect(screenOf(actor.getSnapshot(), true)).toEqual(['17.42 GBP', 'Wrong PIN, 1 try left']);
  expect(screenOf(actor.getSnapshot(), true, 1)).toEqual(['17.42 GBP', 'Wrong PIN, 1 try left', '*']);
});

test('screen: shows a missing card until an unreadable card is presented', () => {
  const actor = createActor(actionMachine, { input: { start: START, atMs: NOW_MS } }).start();
  const second = () => screenOf(actor.getSnapshot(), true)[1];
  expect(second()).toBe('Present card');
  actor.send({ type: 'card.missing', atMs: NOW_MS });
  expect(second()).toBe('No card at the reader, present card');
  actor.send({ type: 'card.presented', entryMode: 'Contact', atMs: NOW_MS });
  expect(second()).toBe('Reading card, do not remove');
  actor.send({ type: 'card.unreadable', reason: 'mute', atMs: NOW_MS });
  expect(second()).toBe('Card not read, try again');
});

test.each([
  ['timeout', 'Timed out'],
  ['cancelled_on_terminal', 'Cancelled'],
  ['bad_track_data', 'Card not readable'],
  ['insufficient_funds', 'Declined'],
])('screen: shows a failure by %s as %s', (code, line) => {
  expect(screenOf(snapshotAt(['failed'], { code }), true)[1]).toBe(line);
});
