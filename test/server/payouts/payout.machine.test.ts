import { expect, test } from 'vitest';
import { payoutStep, type LivedStatus, type PayoutFact } from '../../../server/payouts/payout.machine.ts';

const FACTS: PayoutFact['type'][] = ['bank.paid', 'bank.refused', 'bank.returned'];
const STATUSES: LivedStatus[] = ['InProgress', 'Completed', 'Failed', 'Returned'];

test('a payout completes or fails, and a completed one may still come back', () => {
  const table = STATUSES.map((status) => [
    status,
    FACTS.map((type) => payoutStep(status, { type })?.status ?? '-'),
  ]);
  expect(table).toEqual([
    ['InProgress', ['Completed', 'Failed', '-']],
    ['Completed', ['-', '-', 'Returned']],
    ['Failed', ['-', '-', '-']],
    ['Returned', ['-', '-', '-']],
  ]);
});

test('money that does not arrive is taken back, and its bank account is no good any more', () => {
  expect(payoutStep('InProgress', { type: 'bank.paid' })!.effects).toEqual(['notePaid']);
  expect(payoutStep('InProgress', { type: 'bank.refused' })!.effects).toEqual([
    'takeBack',
    'invalidateMethod',
  ]);
  expect(payoutStep('Completed', { type: 'bank.returned' })!.effects).toEqual([
    'takeBack',
    'invalidateMethod',
  ]);
});
