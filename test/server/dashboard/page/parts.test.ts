import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { mergeNewest } from '../../../../server/dashboard/page/parts/live-list.ts';
import { PAUSE_MS, rereadOnChange } from '../../../../server/dashboard/page/parts/reread.ts';
import { readAgainAndAgain } from '../../../../server/dashboard/page/parts/use-reload.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';
import { jsonTokens } from '../../../../server/dashboard/page/parts/sent-content.tsx';

const item = (id: string, status = 'Open') => ({ id, status });

test('mergeNewest: shows new and changed items, and keeps older ones', () => {
  const known = [item('d'), item('c'), item('b'), item('a')];
  const page = [item('e'), item('d'), item('c', 'Won')];
  expect(mergeNewest(known, page)).toEqual([...page, item('b'), item('a')]);
});

test('mergeNewest: leaves out what was deleted', () => {
  const known = [item('c'), item('b'), item('a')];
  expect(mergeNewest(known, [item('c'), item('a')])).toEqual([item('c'), item('a')]);
});

test('mergeNewest: there is none where the page does not lead to the known items', () => {
  expect(mergeNewest([item('a')], [item('d'), item('c')])).toBeUndefined();
  expect(mergeNewest([item('a')], [])).toBeUndefined();
});

function rereading(isHidden = () => false, everyMs?: number) {
  const clock = new VirtualClock(0);
  const changes = signal(0);
  const reads: (() => void)[] = [];
  const parts = { clock, changes, isHidden, ...(everyMs !== undefined && { everyMs }) };
  const handle = rereadOnChange(parts, () => new Promise((end) => reads.push(end)));
  const end = async () => {
    reads.at(-1)!();
    await clock.advance(0);
  };
  return { clock, changes, reads, end, ...handle };
}

test('readAgainAndAgain: reads at once and after each pause, not while nobody sees it, and never once it has ended', async () => {
  let hidden = false;
  let reads = 0;
  const clock = new VirtualClock(0);
  const end = readAgainAndAgain({ clock, everyMs: 3_000, isHidden: () => hidden }, async () => {
    reads += 1;
  });
  expect(reads).toBe(1);
  await clock.advance(3_000);
  expect(reads).toBe(2);
  hidden = true;
  await clock.advance(30_000);
  expect(reads).toBe(2);
  hidden = false;
  await clock.advance(3_000);
  expect(reads).toBe(3);
  end();
  await clock.advance(30_000);
  expect(reads).toBe(3);
});

test('rereadOnChange: reads at once, then after changes with a pause, one read at a time', async () => {
  const page = rereading();
  expect(page.reads.length).toBe(1);
  page.changes.value += 1;
  expect(page.reads.length).toBe(1);
  await page.end();
  page.changes.value += 1;
  expect(page.reads.length).toBe(1);
  await page.clock.advance(PAUSE_MS);
  expect(page.reads.length).toBe(2);
  await page.end();
  await page.clock.advance(10 * PAUSE_MS);
  expect(page.reads.length).toBe(2);
  page.changes.value += 1;
  expect(page.reads.length).toBe(3);
});

test('rereadOnChange: reads again on request without a pause, and nothing after it was stopped', async () => {
  const page = rereading();
  await page.end();
  page.reread();
  expect(page.reads.length).toBe(2);
  page.reread();
  await page.end();
  await page.clock.advance(PAUSE_MS);
  expect(page.reads.length).toBe(3);
  await page.end();
  page.changes.value += 1;
  page.stop();
  await page.clock.advance(10 * PAUSE_MS);
  page.changes.value += 1;
  expect(page.reads.length).toBe(3);
});

test('rereadOnChange: reads every few seconds without a change where it is told to, and not while nobody sees it', async () => {
  let hidden = false;
  const page = rereading(() => hidden, 5 * PAUSE_MS);
  await page.end();
  await page.clock.advance(4 * PAUSE_MS);
  expect(page.reads.length).toBe(1);
  await page.clock.advance(PAUSE_MS);
  expect(page.reads.length).toBe(2);
  hidden = true;
  await page.end();
  await page.clock.advance(20 * PAUSE_MS);
  expect(page.reads.length).toBe(2);
  hidden = false;
  await page.clock.advance(PAUSE_MS);
  expect(page.reads.length).toBe(3);
  page.stop();
  await page.end();
  await page.clock.advance(20 * PAUSE_MS);
  expect(page.reads.length).toBe(3);
});

test('rereadOnChange: waits while nobody sees it', async () => {
  let hidden = false;
  const page = rereading(() => hidden);
  await page.end();
  hidden = true;
  page.changes.value += 1;
  await page.clock.advance(5 * PAUSE_MS);
  expect(page.reads.length).toBe(1);
  hidden = false;
  await page.clock.advance(PAUSE_MS);
  expect(page.reads.length).toBe(2);
});

test('jsonTokens: splits JSON into coloured tokens without losing text', () => {
  const value = { name: 'a "quoted" text', count: -1.5, ok: true, nothing: null, list: ['1'] };
  const tokens = jsonTokens(value);
  expect(tokens.map(({ text }) => text).join('')).toBe(JSON.stringify(value, null, 2));
  const of = (kind: string) => tokens.filter((token) => token.kind === kind).map(({ text }) => text);
  expect(of('key')).toEqual(['"name"', '"count"', '"ok"', '"nothing"', '"list"']);
  expect(of('text')).toEqual(['"a \\"quoted\\" text"', '"1"']);
  expect(of('number')).toEqual(['-1.5']);
  expect(of('word')).toEqual(['true', 'null']);
});
