import { expect, test } from 'vitest';
import { payoutStep, type PayoutFact } from '../../../../server/api/payouts/payout.machine.ts';
import type { Payout } from '../../../../server/api/payouts/payout.schema.ts';

const HELD = {
  Pending: 'payout.queued',
  PendingAccountVerification: 'account.questioned',
  PendingTransactionVerification: 'transaction.questioned',
  PendingPayoutMethodAction: 'method.questioned',
  PendingAccountAction: 'holder.asked',
} as const satisfies Partial<Record<Payout['status'], PayoutFact['type']>>;
const HOLDS = Object.entries(HELD) as [keyof typeof HELD, PayoutFact['type']][];

const FACTS: PayoutFact['type'][] = [
  'bank.paid',
  'bank.refused',
  'bank.returned',
  'bank.recalled',
  'hold.lifted',
  'payout.cancelled',
  'payout.expired',
];
const from = (status: Payout['status']) => FACTS.map((type) => payoutStep(status, { type })?.status ?? '-');

test(
  'payout machine: a payout completes or fails, and a completed one may be returned',
  { tags: ['spec:3/payout-transitions'] },
  () => {
    expect(from('InProgress')).toEqual(['Completed', 'Failed', '-', '-', '-', '-', '-']);
    expect(from('Completed')).toEqual(['-', '-', 'Returned', 'Recalled', '-', '-', '-']);
    for (const over of ['Failed', 'Returned', 'Recalled', 'Cancelled', 'Expired'] as const) {
      expect([over, from(over)]).toEqual([over, FACTS.map(() => '-')]);
      for (const type of Object.values(HELD)) expect(payoutStep(over, { type })).toBeUndefined();
    }
  },
);

test('payout machine: a payout is held, and continues or ends', () => {
  for (const [status, type] of HOLDS) {
    expect(payoutStep('InProgress', { type })).toEqual({ status, effects: [] });
    expect(payoutStep('Completed', { type })).toBeUndefined();
    const next = ['-', 'Failed', '-', '-', 'InProgress', 'Cancelled', 'Expired'];
    expect([status, from(status)]).toEqual([status, next]);
    expect(payoutStep(status, { type: 'hold.lifted' })!.effects).toEqual(['askBank']);
    expect(payoutStep(status, { type: 'payout.cancelled' })!.effects).toEqual(['takeBack']);
    expect(payoutStep(status, { type: 'payout.expired' })!.effects).toEqual(['takeBack']);
  }
});

test('payout machine: money that does not arrive is returned, and its payout method becomes invalid', () => {
  const lost = ['takeBack', 'invalidateMethod'];
  expect(payoutStep('InProgress', { type: 'bank.paid' })!.effects).toEqual(['notePaid']);
  expect(payoutStep('InProgress', { type: 'bank.refused' })!.effects).toEqual(lost);
  expect(payoutStep('Completed', { type: 'bank.returned' })!.effects).toEqual(lost);
  // Whoever asked for it back may have made a mistake; the account is as good as before.
  expect(payoutStep('Completed', { type: 'bank.recalled' })!.effects).toEqual(['takeBack']);
});
