import { expect, test } from 'vitest';
import { repeatedLines } from '../../../../server/dashboard/page/drills/drill-lines.tsx';
import { shownOf } from '../../../../server/dashboard/page/drills/outcome.ts';
import { isRefusedForGood } from '../../../../server/dashboard/page/drills/use-drills.ts';
import type { DrillLine, DrillOutcome } from '../../../../server/dashboard/drills/drill-view.ts';

const call = (path: string, status: number | null, atMs = 0): DrillLine => ({
  kind: 'call',
  method: 'GET',
  path,
  status,
  atMs,
});

test('repeatedLines: a call that is made again and again is one line, until it ends in another way', () => {
  const step: DrillLine = { kind: 'step', who: 'shop', text: 'waits', atMs: 30 };
  const lines = [
    call('/a', 200, 0),
    call('/a', 200, 10),
    call('/a', null, 20),
    step,
    step,
    call('/a', 200, 40),
  ];
  expect(repeatedLines(lines).map(({ line, count }) => [line.atMs, count])).toEqual([
    [0, 2],
    [20, 1],
    [30, 1],
    [30, 1],
    [40, 1],
  ]);
});

const outcome = (kind: DrillOutcome['kind']): DrillOutcome => ({ kind, reason: null, apart: 0 });

test.each([
  ['lost', 'kept', 'good', 'shown'],
  ['kept', 'kept', 'warn', 'not shown'],
  ['notShown', 'kept', 'warn', 'not shown'],
  ['lost', 'notShown', 'warn', 'not shown'],
  ['lost', 'lost', 'bad', 'right shop lost'],
  ['failed', 'kept', 'bad', 'failed'],
  ['lost', 'failed', 'bad', 'failed'],
] as const)('shownOf: wrong %s and right %s is %s: %s', (wrong, right, tone, label) => {
  expect(shownOf({ wrong: outcome(wrong), right: outcome(right) })).toEqual({ tone, label });
});

test('shownOf: nothing is said while a shop is played', () => {
  expect(shownOf({ wrong: outcome('lost'), right: null })).toBeNull();
});

test('drills: they are read again after a failure, and not where they are refused', () => {
  const failed = (status: number) => isRefusedForGood({ ok: false, status, problem: '' });
  expect([0, 401, 429, 500].map(failed)).toEqual([false, false, false, false]);
  expect([400, 403, 404].map(failed)).toEqual([true, true, true]);
  expect(isRefusedForGood({ ok: true, body: {} })).toBe(false);
});
