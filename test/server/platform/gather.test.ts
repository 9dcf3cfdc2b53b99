import { expect, test } from 'vitest';
import { gather } from '../../../server/platform/gather.ts';

/** Gathers numbers; the work on several waits until it is let go. Negative ones fail. */
function gathered(most = 3) {
  const works: (readonly number[])[] = [];
  const waiting: (() => void)[] = [];
  const add = gather<number, string>(async (items) => {
    works.push(items);
    await new Promise<void>((resolve) => waiting.push(resolve));
    if (items.some((item) => item < 0)) throw new Error(`refused ${items.join()}`);
    return items.map((item) => `done ${item}`);
  }, most);
  /** Ends the work that is under way, and lets what follows from it begin. */
  const end = async () => {
    for (const resolve of waiting.splice(0)) resolve();
    await new Promise(setImmediate);
  };
  return { works, add, end };
}

test('gather: the first item is worked on at once, those that arrive meanwhile together, at most so many', async () => {
  const { works, add, end } = gathered();
  const done = Promise.all([1, 2, 3, 4, 5].map(add));
  expect(works).toEqual([[1]]);
  await end();
  expect(works).toEqual([[1], [2, 3, 4]]);
  await end();
  expect(works).toEqual([[1], [2, 3, 4], [5]]);
  await end();
  expect(await done).toEqual([1, 2, 3, 4, 5].map((item) => `done ${item}`));
});

test('gather: when the work on several fails, each is worked on by itself, and one fails alone', async () => {
  const { works, add, end } = gathered();
  const [first, bad, good] = [add(1), add(-2), add(3)];
  const outcomes = Promise.allSettled([first, bad, good]);
  await end();
  await end();
  expect(works).toEqual([[1], [-2, 3], [-2], [3]]);
  await end();
  expect(await outcomes).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { message: 'refused -2' } },
    { status: 'fulfilled' },
  ]);
  const after = add(4);
  expect(works.at(-1)).toEqual([4]);
  await end();
  await after;
});
