import { expect, test } from 'vitest';
import {
  indexOfShown,
  playPauseMs,
  shownAt,
  timelineAt,
} from '../../../../server/dashboard/page/trace/position-strip.tsx';
import { rowTimes } from '../../../../server/dashboard/page/timeline/timeline-row.tsx';
import type { TimelineEntry } from '../../../../server/dashboard/view.ts';

const entryOf = (seq: number, members: Partial<TimelineEntry> = {}): TimelineEntry => ({
  seq,
  atMs: 0,
  lane: 'api',
  kind: 'request',
  terminalId: null,
  actionId: null,
  objectId: null,
  title: '',
  tone: 'plain',
  detail: null,
  ...members,
});

test('position: the end is null, and a moment between two entries is that of the first', () => {
  const entries = [entryOf(2), entryOf(5), entryOf(9)];
  expect([null, 1, 2, 7, 9].map((shown) => indexOfShown(entries, shown))).toEqual([2, -1, 0, 1, 2]);
  expect([-1, 0, 1, 2, 3].map((index) => shownAt(entries, index))).toEqual([2, 2, 5, null, null]);
});

test('position: the target is that of the entry shown, or the last before it, or the first of all', () => {
  const entries = [
    entryOf(1),
    entryOf(2, { actionId: 'tmlact_1', objectId: 'tml_1' }),
    entryOf(3),
    entryOf(4, { objectId: 'ps_2' }),
  ];
  const targets = [
    { id: 'tmlact_1', label: 'Action 1' },
    { id: 'ps_2', label: 'Payment session 1' },
  ];
  expect([0, 1, 2, 3].map((index) => timelineAt(entries, index, targets))).toEqual([
    'tmlact_1',
    'tmlact_1',
    'tmlact_1',
    'ps_2',
  ]);
  expect(timelineAt(entries, 0, [])).toBeNull();
});

test('rowTimes: shows the time since the first entry, and real time where the clock stands still', () => {
  const entries = [
    entryOf(1, { atMs: 1_000, realMs: 5 }),
    entryOf(2, { atMs: 1_000, realMs: 8.2 }),
    entryOf(3, { atMs: 3_500, realMs: 12 }),
    entryOf(4, { atMs: 3_500, realMs: 30 }),
    entryOf(5, { atMs: 3_500 }),
  ];
  expect(entries.map(rowTimes(entries)).map(({ text, isReal }) => [text, isReal])).toEqual([
    ['+0.000', false],
    ['3.2 ms', true],
    ['+2.500', false],
    ['18 ms', true],
    ['+2.500', false],
  ]);
});

test('position: it plays as fast as it was recorded, but each entry is seen and none is waited for', () => {
  const pause = (ms: number) => playPauseMs({ atMs: 1_000 }, { atMs: 1_000 + ms });
  expect([0, 700, 3_600_000].map(pause)).toEqual([200, 700, 1_500]);
});
