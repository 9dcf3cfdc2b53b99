import { setup } from 'xstate';
import { stepsOf } from '../../../protocol/machine-step.ts';
import type { Payout } from './payout.schema.ts';

/** Events of a payout: results from the bank, holds, cancellation and expiry. */
export type PayoutEvent =
  | { type: 'bank.paid' }
  | { type: 'bank.refused' }
  | { type: 'bank.returned' }
  | { type: 'bank.recalled' }
  | { type: 'payout.queued' }
  | { type: 'account.questioned' }
  | { type: 'transaction.questioned' }
  | { type: 'method.questioned' }
  | { type: 'holder.asked' }
  | { type: 'hold.lifted' }
  | { type: 'payout.cancelled' }
  | { type: 'payout.expired' };

const machineSetup = setup({
  types: { events: {} as PayoutEvent, tags: {} as Payout['status'] },
  actions: { askBank: () => {}, notePaid: () => {}, takeBack: () => {}, invalidateMethod: () => {} },
});

/** A payout to a bank account (Spec §3; docs/choices.md, Payouts). */
export const payoutMachine = machineSetup.createMachine({
  id: 'payout',
  initial: 'inProgress',
  states: {
    inProgress: {
      tags: 'InProgress',
      on: {
        'bank.paid': { target: 'completed', actions: 'notePaid' },
        'bank.refused': { target: 'failed', actions: ['takeBack', 'invalidateMethod'] },
        'payout.queued': 'held.queued',
        'account.questioned': 'held.accountVerification',
        'transaction.questioned': 'held.transactionVerification',
        'method.questioned': 'held.payoutMethodAction',
        'holder.asked': 'held.accountAction',
      },
    },
    // A held payout continues when the hold is lifted, or fails, is cancelled or expires.
    held: {
      initial: 'queued',
      on: {
        'hold.lifted': { target: 'inProgress', actions: 'askBank' },
        'bank.refused': { target: 'failed', actions: ['takeBack', 'invalidateMethod'] },
        'payout.cancelled': { target: 'cancelled', actions: 'takeBack' },
        'payout.expired': { target: 'expired', actions: 'takeBack' },
      },
      states: {
        queued: { tags: 'Pending' },
        accountVerification: { tags: 'PendingAccountVerification' },
        transactionVerification: { tags: 'PendingTransactionVerification' },
        payoutMethodAction: { tags: 'PendingPayoutMethodAction' },
        accountAction: { tags: 'PendingAccountAction' },
      },
    },
    // A bank can still return or recall a completed payout.
    completed: {
      tags: 'Completed',
      on: {
        'bank.returned': { target: 'returned', actions: ['takeBack', 'invalidateMethod'] },
        'bank.recalled': { target: 'recalled', actions: 'takeBack' },
      },
    },
    failed: { type: 'final', tags: 'Failed' },
    cancelled: { type: 'final', tags: 'Cancelled' },
    expired: { type: 'final', tags: 'Expired' },
    returned: { type: 'final', tags: 'Returned' },
    recalled: { type: 'final', tags: 'Recalled' },
  },
});

/** Dotted paths. */
const STATES = {
  InProgress: 'inProgress',
  Pending: 'held.queued',
  PendingAccountVerification: 'held.accountVerification',
  PendingTransactionVerification: 'held.transactionVerification',
  PendingPayoutMethodAction: 'held.payoutMethodAction',
  PendingAccountAction: 'held.accountAction',
  Completed: 'completed',
  Failed: 'failed',
  Cancelled: 'cancelled',
  Expired: 'expired',
  Returned: 'returned',
  Recalled: 'recalled',
} as const satisfies Record<Payout['status'], string>;

/** Returns the state of the machine for a status. */
export function payoutStateOf(status: Payout['status']) {
  return STATES[status];
}

const step = stepsOf(payoutMachine, {
  states: Object.values(STATES),
  effects: ['askBank', 'notePaid', 'takeBack', 'invalidateMethod'],
});

type PayoutStep = NonNullable<ReturnType<typeof step>>;
export type PayoutEffect = PayoutStep['effects'][number]['type'];

/** Returns the step for an event; undefined when the event does not apply in this status. */
export function payoutStep(status: Payout['status'], event: PayoutEvent): PayoutStep | undefined {
  return step({ state: STATES[status], context: {} }, event);
}
