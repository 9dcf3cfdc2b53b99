import { expect, test } from 'vitest';
import {
  entriesOf,
  machinesOf,
  stepFrom,
  stepsOf,
} from '../../../../server/dashboard/page/timeline/steps.ts';
import { madeEntry, madeStep } from './fixtures.ts';
import { moveTo, pagesAround } from '../../../../server/dashboard/page/timeline/row-window.ts';
import { hexRows } from '../../../../server/dashboard/page/timeline/entry-detail.tsx';

const ENTRIES = [
  madeEntry(1),
  madeStep(2, 'action', 'awaitingCard'),
  madeStep(3, 'serverAction', 'awaitingCard'),
  madeStep(5, 'action', 'reading'),
  madeStep(8, 'action', 'authorising'),
  madeEntry(9),
];

const STEPS = stepsOf(ENTRIES, 'action');

test('stepping: a machine has its own steps, up to the shown moment', () => {
  expect(machinesOf(ENTRIES)).toEqual(['action', 'serverAction']);
  expect(STEPS.map(({ step }) => step.state)).toEqual(['awaitingCard', 'reading', 'authorising']);
  expect(stepsOf(ENTRIES, 'action', 7).map(({ step }) => step.state)).toEqual(['awaitingCard', 'reading']);
  expect(stepsOf(ENTRIES, null)).toEqual([]);
});

test('stepping: back goes step by step to the first and stays there', () => {
  const shown = [null, 5, 2, 2];
  for (const [index, from] of shown.slice(0, -1).entries()) {
    expect(stepFrom(STEPS, from, -1)).toBe(shown[index + 1]);
  }
});

test('stepping: forward goes to the last step, which is the current state', () => {
  expect(stepFrom(STEPS, 2, 1)).toBe(5);
  expect(stepFrom(STEPS, 5, 1)).toBe(null);
  expect(stepFrom(STEPS, null, 1)).toBe(null);
});

test('stepping: from an entry between two steps, back goes to the one before', () => {
  expect(stepFrom(STEPS, 6, -1)).toBe(2);
  expect(stepFrom(STEPS, 1, 1)).toBe(2);
});

test('stepping: without steps there is none to go to', () => {
  expect(stepFrom([], null, -1)).toBe(null);
  expect(stepFrom([], null, 1)).toBe(null);
});

test('stepping: an action has its own entries and those without an action', () => {
  const entries = [
    madeEntry(1, { actionId: 'a' }),
    madeEntry(2, { actionId: 'b' }),
    madeEntry(3, { actionId: null }),
  ];
  expect(entriesOf(entries, 'b').map(({ seq }) => seq)).toEqual([2, 3]);
  expect(entriesOf(entries, null)).toBe(entries);
});

test('row pages: a row on another page is drawn with the neighbours of that page', () => {
  expect(moveTo(pagesAround(3), 5, false)).toEqual({ first: 4, last: 6, shown: 5 });
  expect(moveTo(pagesAround(3), 2, true)).toEqual({ first: 1, last: 3, shown: 2 });
  expect(moveTo(pagesAround(0), 5, true)).toEqual({ first: 4, last: 6, shown: 5 });
});

test('row pages: the earlier rows that are being read stay when rows are added', () => {
  let pages = pagesAround(1);
  for (const shown of [2, 3, 4]) pages = moveTo(pages, shown, true);
  expect(pages).toEqual({ first: 0, last: 5, shown: 4 });
});

test('row pages: further pages that were asked for stay while the row shown is on the same page', () => {
  const more = { ...pagesAround(3), first: 0 };
  expect(moveTo(more, 3, false)).toBe(more);
});

test('hexRows: shows bytes in rows of sixteen, and masked ones stay masked', () => {
  const rows = hexRows(`${'41'.repeat(16)}··00`);
  expect(rows).toEqual([
    { offset: '0000', bytes: Array.from({ length: 16 }, () => '41'), text: 'A'.repeat(16) },
    { offset: '0010', bytes: ['··', '00'], text: '·.' },
  ]);
});
