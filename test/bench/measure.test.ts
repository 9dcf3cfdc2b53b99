import { expect, test } from 'vitest';
import { alternate, medianBefore } from '../../bench/measure.ts';

/** Returns a measurement that gives these values in turn. */
const giving = (...values: number[]) => {
  let next = 0;
  return async () => values[next++]!;
};

test('alternate: measures all sides in each round, and drops the first', async () => {
  const taken = await alternate(2, giving(1, 2, 3), giving(10, 20, 30), giving(100, 200, 300));
  expect(taken).toEqual([
    { bare: 2, ours: 20, before: 200 },
    { bare: 3, ours: 30, before: 300 },
  ]);
});

test('medianBefore: is undefined when no other checkout was measured', async () => {
  const alone = await alternate(1, giving(1, 2), giving(10, 20));
  expect(medianBefore(alone, (value) => value)).toBeUndefined();
  const compared = await alternate(1, giving(1, 2), giving(10, 20), giving(100, 200));
  expect(medianBefore(compared, (value) => value)).toBe(200);
});
