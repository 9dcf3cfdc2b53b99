import { setup, transition } from 'xstate';
import type { Payout } from './payout.schema.ts';

/** What a bank says of a payout, and what holds it up or ends it on the way. */
export type PayoutFact =
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

/** What a step does besides; done in the transaction that writes the step. */
export type PayoutEffect = 'askBank' | 'notePaid' | 'takeBack' | 'invalidateMethod';

const machineSetup = setup({
  types: { events: {} as PayoutFact },
  actions: { askBank: () => {}, notePaid: () => {}, takeBack: () => {}, invalidateMethod: () => {} },
});

/** A payout that is held up goes on when the hold is lifted, or comes to nothing. */
const held = {
  'hold.lifted': { target: 'inProgress', actions: 'askBank' },
  'bank.refused': { target: 'failed', actions: ['takeBack', 'invalidateMethod'] },
  'payout.cancelled': { target: 'cancelled', actions: 'takeBack' },
  'payout.expired': { target: 'expired', actions: 'takeBack' },
} as const;

/** A payout on its way to a bank account (Spec §3; docs/choices.md, Payouts). */
export const payoutMachine = machineSetup.createMachine({
  id: 'payout',
  initial: 'inProgress',
  states: {
    inProgress: {
      tags: 'InProgress',
      on: {
        'bank.paid': { target: 'completed', actions: 'notePaid' },
        'bank.refused': { target: 'failed', actions: ['takeBack', 'invalidateMethod'] },
        'payout.queued': 'pending',
        'account.questioned': 'pendingAccountVerification',
        'transaction.questioned': 'pendingTransactionVerification',
        'method.questioned': 'pendingPayoutMethodAction',
        'holder.asked': 'pendingAccountAction',
      },
    },
    pending: { tags: 'Pending', on: held },
    pendingAccountVerification: { tags: 'PendingAccountVerification', on: held },
    pendingTransactionVerification: { tags: 'PendingTransactionVerification', on: held },
    pendingPayoutMethodAction: { tags: 'PendingPayoutMethodAction', on: held },
    pendingAccountAction: { tags: 'PendingAccountAction', on: held },
    // A bank can still send back what it took, or be asked to.
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

const STATES = {
  InProgress: 'inProgress',
  Pending: 'pending',
  PendingAccountVerification: 'pendingAccountVerification',
  PendingTransactionVerification: 'pendingTransactionVerification',
  PendingPayoutMethodAction: 'pendingPayoutMethodAction',
  PendingAccountAction: 'pendingAccountAction',
  Completed: 'completed',
  Failed: 'failed',
  Cancelled: 'cancelled',
  Expired: 'expired',
  Returned: 'returned',
  Recalled: 'recalled',
} as const satisfies Record<Payout['status'], string>;

/** The state of the machine in which a payout has this status. */
export function payoutStateOf(status: Payout['status']): string {
  return STATES[status];
}

export interface PayoutStep {
  status: Payout['status'];
  effects: PayoutEffect[];
}

/** The step that a fact makes from a status; undefined when the fact cannot be there. */
export function payoutStep(status: Payout['status'], fact: PayoutFact): PayoutStep | undefined {
  const before = payoutMachine.resolveState({ value: STATES[status] });
  if (!before.can(fact)) return undefined;
  const [after, actions] = transition(payoutMachine, before, fact);
  const [tag] = after.tags;
  return { status: tag as Payout['status'], effects: actions.map(({ type }) => type as PayoutEffect) };
}
