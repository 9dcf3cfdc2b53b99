import { expect, test } from 'vitest';
import { firstTransition, pathOf, restoreSnapshot } from '../../../agent/lifecycle/action-transition.ts';
import { START } from '../agent-fixture.ts';

const { context } = firstTransition({ start: START, atMs: 0 }).snapshot;

test.each([
  ['answeringCard', 'completingCard'],
  [{ approved: 'settling' }, 'approved.awaitingEnd'],
  [{ takingBack: 'cancelled' }, 'reversingAtDevice.cancelled'],
  [{ approved: { printing: 'customerCopy' } }, 'approved.printing.customerCopy'],
])('restoreSnapshot: a journal in state %j resumes in %s', (value, path) => {
  expect(pathOf(restoreSnapshot({ value, context })!)).toBe(path);
});

test('restoreSnapshot: returns undefined for what is not a snapshot of the action machine', () => {
  expect(restoreSnapshot({ value: 'elsewhere', context })).toBeUndefined();
  expect(restoreSnapshot(null)).toBeUndefined();
});
