import { expect, test } from 'vitest';
import type { Job } from '../../../../server/platform/scheduler/jobs.ts';
import { createKeyQueues } from '../../../../server/platform/scheduler/waiting-jobs.ts';

function jobOf(seq: number, dueMs: number, key = 'a'): Job {
  return { seq, kind: 'note', queue: '', key, payload: null, dueMs, attempts: 0 };
}

test('key queues: return the jobs of a key in the order in which they are due, then were added', () => {
  const queues = createKeyQueues();
  for (const job of [jobOf(3, 20), jobOf(2, 20), jobOf(4, 10), jobOf(1, 5, 'b')]) queues.add(job);
  const shifted = ['a', 'a', 'a', 'a', 'b'].map((key) => queues.shift(key)?.seq);
  expect(shifted).toEqual([4, 2, 3, undefined, 1]);
  expect(queues.all()).toEqual([]);
});

test('key queues: drop jobs of one key, and return those that they held', () => {
  const queues = createKeyQueues();
  for (const job of [jobOf(1, 1), jobOf(2, 2), jobOf(3, 3, 'b')]) queues.add(job);
  expect(queues.drop('a', [2, 3])).toEqual([jobOf(2, 2)]);
  expect(queues.drop('c', [1])).toEqual([]);
  expect(queues.all()).toEqual([jobOf(1, 1), jobOf(3, 3, 'b')]);
});
