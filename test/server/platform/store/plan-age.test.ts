import { expect, test } from 'vitest';
import { createPlanAge } from '../../../../server/platform/store/plan-age.ts';

test('plan age: plans are discarded after 1, 2, 4 … 64 seconds in a schema, and then no more', () => {
  const age = createPlanAge(5_000);
  const discarded: number[] = [];
  for (let seconds = 0; seconds <= 300; seconds += 0.5)
    if (age.isOver(5_000 + seconds * 1_000)) discarded.push(seconds);
  expect(discarded).toEqual([1, 2, 4, 8, 16, 32, 64]);
});

test('plan age: a connection that was not used for a while discards its plans once', () => {
  const age = createPlanAge(0);
  expect(age.isOver(50_000)).toBe(true);
  expect(age.isOver(50_001)).toBe(false);
  expect(age.isOver(64_000)).toBe(true);
});
