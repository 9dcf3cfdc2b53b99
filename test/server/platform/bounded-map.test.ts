import { expect, test } from 'vitest';
import { setBounded } from '../../../server/platform/bounded-map.ts';

test('setBounded: deletes the oldest entry of a full map, and none when the key is known', () => {
  const map = new Map<string, number>();
  for (const [index, key] of ['a', 'b', 'a', 'c', 'd'].entries()) setBounded(map, 3, key, index);
  expect([...map]).toEqual([
    ['b', 1],
    ['c', 3],
    ['d', 4],
  ]);
});
