import { expect, test } from 'vitest';
import { nextDue, secondsUntil } from '../../../../server/dashboard/page/clock/clock-menu.tsx';
import { madeAction, madeTerminal } from './fixtures.ts';

test('nextDue: returns the earliest deadline or retry in the future', () => {
  const acting = madeTerminal({ action: madeAction({ deadlineMs: 90_000 }) });
  const over = madeTerminal({ action: madeAction({ status: 'Failed', deadlineMs: 55_000 }) });
  const endpoint = (nextAttemptTimestamp: number | null) => ({ health: { nextAttemptTimestamp } });
  expect(nextDue(50_000, [acting, over], [endpoint(60), endpoint(null)])).toEqual({
    what: 'webhook retry',
    atMs: 60_000,
  });
  expect(nextDue(60_000, [acting, over], [endpoint(60)])).toEqual({
    what: 'deadline of Till 1',
    atMs: 90_000,
  });
  expect(nextDue(95_000, [acting], [])).toBe(undefined);
  expect([secondsUntil(1_001, 0), secondsUntil(0, 0)]).toEqual([2, 1]);
});

test('secondsUntil: is at most what the clock can be advanced by at once', () => {
  expect([secondsUntil(1_500, 0), secondsUntil(0, 9_000), secondsUntil(1e14, 0)]).toEqual([2, 1, 31_536_000]);
});
