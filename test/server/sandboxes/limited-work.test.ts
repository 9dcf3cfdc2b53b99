import { expect, test } from 'vitest';
import { createLimitedWork } from '../../../server/sandboxes/limited-work.ts';

/** A work that ends when the test says so. */
function work() {
  let end!: () => void;
  let fail!: (error: Error) => void;
  const ended = new Promise<void>((resolve, reject) => ([end, fail] = [resolve, reject]));
  return { end: () => end(), fail: (error: Error) => fail(error), run: () => ended };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test('limited work: two run at once in their order, one more after each that ends or fails, each after a turn', async () => {
  const begun: string[] = [];
  const limited = createLimitedWork(2, async () => void begun.push('turn'));
  const works = { a: work(), b: work(), c: work(), d: work() };
  const results = Object.entries(works).map(([name, { run }]) =>
    limited(async () => {
      begun.push(name);
      await run();
      return name;
    }),
  );
  const settled = Promise.allSettled(results);
  await settle();
  expect(begun).toEqual(['turn', 'turn', 'a', 'b']);
  works.b.fail(new Error('no space'));
  await settle();
  expect(begun.slice(4)).toEqual(['turn', 'c']);
  works.a.end();
  await settle();
  expect(begun.slice(6)).toEqual(['turn', 'd']);
  works.c.end();
  works.d.end();
  expect((await settled).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
});
