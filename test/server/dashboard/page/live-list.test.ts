import { expect, test } from 'vitest';
import { mergeNewest } from '../../../../server/dashboard/page/parts/live-list.ts';

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
