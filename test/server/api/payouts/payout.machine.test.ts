import { expect, test } from 'vitest';
import { payoutStep, type PayoutEvent } from '../../../../server/api/payouts/payout.machine.ts';
import type { Payout } from '../../../../server/api/payouts/payout.schema.ts';

const HELD = {
  Pending: 'payout.queued',
  PendingAccountVerification: 'accountVerification.required',
  PendingTransactionVerification: 'transactionVerification.required',
  PendingPayoutMethodAction: 'payoutMethodAction.required',
  PendingAccountAction: 'accountAction.required',
} as const satisfies Partial<Record<Payout['status'], PayoutEvent['type']>>;
const HOLDS = Object.entries(HELD) as [keyof typeof HELD, PayoutEvent['type']][];

const EVENTS: PayoutEvent['type'][] = [
  'bank.paid',
  'bank.refused',
  'bank.returned',
  'bank.recalled',
  'hold.released',
  'payout.cancelled',
  'payout.expired',
];
const from = (status: Payout['status']) => EVENTS.map((type) => payoutStep(status, { type })?.status ?? '-');

const effects = (status: Payout['status'], type: PayoutEvent['type']) =>
  payoutStep(status, { type })!.effects.map((effect) => effect.type);

test(
  'payout machine: a payout completes or fails, and a completed one may be returned',
  { tags: ['spec:3/payout-transitions'] },
  () => {
    expect(from('InProgress')).toEqual(['Completed', 'Failed', '-', '-', '-', '-', '-']);
    expect(from('Completed')).toEqual(['-', '-', 'Returned', 'Recalled', '-', '-', '-']);
    for (const over of ['Failed', 'Returned', 'Recalled', 'Cancelled', 'Expired'] as const) {
      expect([over, from(over)]).toEqual([over, EVENTS.map(() => '-')]);
      for (const type of Object.values(HELD)) expect(payoutStep(over, { type })).toBeUndefined();
    }
  },
);

test('payout machine: a payout is held, and continues or ends', () => {
  for (const [status, type] of HOLDS) {
    expect(payoutStep('InProgress', { type })).toMatchObject({ status, effects: [] });
    expect(payoutStep('Completed', { type })).toBeUndefined();
    const next = ['-', 'Failed', '-', '-', 'InProgress', 'Cancelled', 'Expired'];
    expect([status, from(status)]).toEqual([status, next]);
    expect(effects(status, 'hold.released')).toEqual(['requestBankResult']);
    expect(effects(status, 'payout.cancelled')).toEqual(['returnToBalance']);
    expect(effects(status, 'payout.expired')).toEqual(['returnToBalance']);
  }
});

test('payout machine: money that does not arrive is returned, and its payout method becomes invalid', () => {
  const lost = ['returnToBalance', 'invalidateMethod'];
  expect(effects('InProgress', 'bank.paid')).toEqual(['recordPaidOut']);
  expect(effects('InProgress', 'bank.refused')).toEqual(lost);
  expect(effects('Completed', 'bank.returned')).toEqual(lost);
  // Whoever asked for it back may have made a mistake; the account is as good as before.
  expect(effects('Completed', 'bank.recalled')).toEqual(['returnToBalance']);
});
