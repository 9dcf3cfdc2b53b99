import { expect, test } from 'vitest';
import { toneOf } from '../../../../server/dashboard/page/objects/status-tones.ts';

test('object status: what succeeded, waits and failed has a colour each, and the end without either is grey', () => {
  expect(['Captured', 'Won', 'Active'].map(toneOf)).toEqual(['good', 'good', 'good']);
  expect(['PendingAction', 'Challenged'].map(toneOf)).toEqual(['warn', 'warn']);
  expect(['Declined', 'PastDue'].map(toneOf)).toEqual(['bad', 'bad']);
  expect(['Voided', 'Ended', 'constructor'].map(toneOf)).toEqual(['', '', '']);
});
