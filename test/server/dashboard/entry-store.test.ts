import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEntryStore } from '../../../server/dashboard/entry-store.ts';
import { property } from '../../property.ts';

const LIMITS = { timelines: 3, entriesOfTimeline: 5, entries: 12 };
const step = (seq: number) => ({ seq, kind: 'step' });
const seqsOf = (entries: readonly { seq: number }[]) => entries.map(({ seq }) => seq);

test('entry files: finds an entry under each of its keys, in the order of numbers', () => {
  const entries = createEntryStore(LIMITS);
  entries.add(['action', 'session'], step(2));
  entries.add(['session'], step(4));
  entries.add(['action', 'session'], step(3));
  expect(seqsOf(entries.of('session'))).toEqual([2, 3, 4]);
  expect(seqsOf(entries.of('action'))).toEqual([2, 3]);
  expect(entries.of('nobody')).toEqual([]);
});

test('entry files: drops the least recently used first', () => {
  const entries = createEntryStore(LIMITS);
  for (const [index, key] of ['a', 'b', 'c', 'a', 'd'].entries()) entries.add([key], step(index));
  expect(['a', 'b', 'c', 'd'].map((key) => entries.of(key).length)).toEqual([2, 0, 1, 1]);
});

test('entry files: drops frames of a reader before anything else', () => {
  const entries = createEntryStore(LIMITS);
  entries.add(['a'], step(1));
  for (let seq = 2; seq <= 9; seq += 1) entries.add(['a'], { seq, kind: 'serial.out' });
  entries.add(['a'], step(10));
  expect(seqsOf(entries.of('a'))).toEqual([1, 7, 8, 9, 10]);
  for (let seq = 11; seq <= 15; seq += 1) entries.add(['a'], step(seq));
  expect(seqsOf(entries.of('a'))).toEqual([11, 12, 13, 14, 15]);
});

const additions = fc.array(
  fc.record({
    keys: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1, maxLength: 3 }),
    seq: fc.integer({ min: 1, max: 50 }),
    kind: fc.constantFrom('step', 'serial.in'),
  }),
  { maxLength: 60 },
);

property([additions])('the limits hold, and every file stays in order', (added) => {
  const entries = createEntryStore(LIMITS);
  for (const { keys, ...entry } of added) {
    entries.add(keys, entry);
    const all = ['a', 'b', 'c', 'd', 'e'].map((key) => entries.of(key));
    expect(all.filter(({ length }) => length > 0).length).toBeLessThanOrEqual(LIMITS.timelines);
    expect(all.flat().length).toBeLessThanOrEqual(LIMITS.entries);
    for (const file of all) {
      expect(file.length).toBeLessThanOrEqual(LIMITS.entriesOfTimeline);
      expect(seqsOf(file)).toEqual(seqsOf(file).sort((a, b) => a - b));
    }
  }
});
