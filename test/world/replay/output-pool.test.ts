import { beforeEach, expect, test } from 'vitest';
import type { TimelineEntry } from '../../../server/dashboard/view.ts';
import { createBindings, type Bindings } from '../../../world/replay/bindings.ts';
import { createOutputPool } from '../../../world/replay/output-pool.ts';

const TERMINAL = 'trm_01HZX3E5N8Q2R7T4V9W1Y6A0B1';
const OTHER_TERMINAL = 'trm_01HZX3E5N8Q2R7T4V9W1Y6A0B2';
/** An action that is in the snapshot. */
const EARLIER = 'act_01HZX3E5N8Q2R7T4V9W1Y6A0C1';
/** An action that begins in the recording, and the one of the replay that stands for it. */
const LATER = 'act_01HZX3E5N8Q2R7T4V9W1Y6A0C2';
const LATER_REPLAYED = 'act_01HZX3E5N8Q2R7T4V9W1Y6A0C3';

let bindings: Bindings;
beforeEach(() => {
  bindings = createBindings();
  for (const id of [TERMINAL, OTHER_TERMINAL, EARLIER]) bindings.bind(id, id);
  bindings.bind(LATER, LATER_REPLAYED);
});

function entryOf(parts: Partial<TimelineEntry>): TimelineEntry {
  return {
    seq: 1,
    atMs: 0,
    lane: 'wire',
    kind: 'mqtt.report',
    terminalId: TERMINAL,
    actionId: null,
    objectId: null,
    title: 'presence',
    tone: 'plain',
    detail: {},
    ...parts,
  };
}

function poolOf(entries: readonly TimelineEntry[]) {
  const pool = createOutputPool();
  for (const entry of entries) pool.add(entry);
  return {
    left: pool.left,
    take(recorded: TimelineEntry) {
      const taken = pool.take(recorded, { bindings, lagOf: () => 0 });
      if (!taken) return 'missing';
      return 'entry' in taken ? 'taken' : taken.difference.path.join('.');
    },
  };
}

const authorise = (amount: number, actionId: string | null = EARLIER) =>
  entryOf({ actionId, title: 'action.authorise', detail: { actionId: EARLIER, amount } });
const screen = (text: string, actionId: string | null = EARLIER) =>
  entryOf({ actionId, title: 'machine.state', detail: { text } });
const stepOf = (actionId: string) =>
  entryOf({ kind: 'step', actionId, objectId: actionId, title: 'reading → printing' });

test.each(['act', 'fault', 'mqtt.command', 'mqtt.report'] as const)(
  'output pool: a %s of an action of the snapshot is taken, before the replay knows that action',
  (kind) => {
    const pool = poolOf([entryOf({ kind })]);
    expect(pool.take(entryOf({ kind, actionId: EARLIER }))).toBe('taken');
    expect(pool.left()).toEqual([]);
  },
);

test.each([
  { what: 'another amount', replayed: authorise(1743, null), difference: 'detail.amount' },
  {
    what: 'another action in the message',
    replayed: entryOf({ title: 'action.authorise', detail: { actionId: LATER_REPLAYED, amount: 1742 } }),
    difference: 'detail.actionId',
  },
  { what: 'another message', replayed: screen('Approved', null), difference: 'title' },
  { what: 'another action of the entry', replayed: authorise(1742, LATER_REPLAYED), difference: 'missing' },
  {
    what: 'another terminal',
    replayed: { ...authorise(1742, null), terminalId: OTHER_TERMINAL },
    difference: 'missing',
  },
  {
    what: 'another kind',
    replayed: { ...authorise(1742, null), kind: 'mqtt.command' as const },
    difference: 'missing',
  },
])('output pool: $what differs, also before the replay knows the action', ({ replayed, difference }) => {
  const pool = poolOf([replayed]);
  expect(pool.take(authorise(1742))).toBe(difference);
  expect(pool.left()).toEqual([replayed]);
});

test('output pool: a message that was recorded of no action is not one of an action', () => {
  expect(poolOf([screen('Ready', EARLIER)]).take(screen('Ready', null))).toBe('missing');
});

test('output pool: a message of an action that began in the recording is not one of no action', () => {
  expect(poolOf([screen('Ready', null)]).take(screen('Ready', LATER))).toBe('missing');
});

test('output pool: a message of no action is not one of an action whose step the replay has seen', () => {
  const pool = poolOf([stepOf(EARLIER), screen('Ready', null)]);
  expect(pool.take(screen('Ready'))).toBe('missing');
});

test('output pool: messages of an action keep their order, those before its first step included', () => {
  const replayed = [screen('one', null), stepOf(EARLIER), screen('two')];
  expect(poolOf(replayed).take(screen('two'))).toBe('detail.text');
  const pool = poolOf(replayed);
  expect([pool.take(screen('one')), pool.take(screen('two'))]).toEqual(['taken', 'taken']);
});

test('output pool: a message that the recording does not have is left, and one that the replay does not have is missing', () => {
  const pool = poolOf([screen('one', null), screen('one', null)]);
  expect(pool.take(screen('one'))).toBe('taken');
  expect(pool.left()).toHaveLength(1);
  expect(pool.take(screen('one'))).toBe('taken');
  expect(pool.take(screen('one'))).toBe('missing');
});
