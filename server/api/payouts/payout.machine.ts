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
  | { type: 'accountVerification.required' }
  | { type: 'transactionVerification.required' }
  | { type: 'payoutMethodAction.required' }
  | { type: 'accountAction.required' }
  | { type: 'hold.released' }
  | { type: 'payout.cancelled' }
  | { type: 'payout.expired' };

const machineSetup = setup({
  types: { events: {} as PayoutEvent, tags: {} as Payout['status'] },
  actions: {
    requestBankResult: () => {},
    recordPaidOut: () => {},
    returnToBalance: () => {},
    invalidateMethod: () => {},
  },
});

/** A payout to a bank account (Spec §3; docs/choices.md, Payouts). */
export const payoutMachine = machineSetup.createMachine({
  id: 'payout',
  initial: 'inProgress',
  states: {
    inProgress: {
      tags: 'InProgress',
      on: {
        'bank.paid': { target: 'completed', actions: 'recordPaidOut' },
        'bank.refused': { target: 'failed', actions: ['returnToBalance', 'invalidateMethod'] },
        'payout.queued': 'held.queued',
        'accountVerification.required': 'held.accountVerification',
        'transactionVerification.required': 'held.transactionVerification',
        'payoutMethodAction.required': 'held.payoutMethodAction',
        'accountAction.required': 'held.accountAction',
      },
    },
    // A held payout continues when the hold is lifted, or fails, is cancelled or expires.
    held: {
      initial: 'queued',
      on: {
        'hold.released': { target: 'inProgress', actions: 'requestBankResult' },
        'bank.refused': { target: 'failed', actions: ['returnToBalance', 'invalidateMethod'] },
        'payout.cancelled': { target: 'cancelled', actions: 'returnToBalance' },
        'payout.expired': { target: 'expired', actions: 'returnToBalance' },
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
        'bank.returned': { target: 'returned', actions: ['returnToBalance', 'invalidateMethod'] },
        'bank.recalled': { target: 'recalled', actions: 'returnToBalance' },
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
  effects: ['requestBankResult', 'recordPaidOut', 'returnToBalance', 'invalidateMethod'],
});

type PayoutStep = NonNullable<ReturnType<typeof step>>;
export type PayoutEffect = PayoutStep['effects'][number]['type'];

/** Returns the step for an event; undefined when the event does not apply in this status. */
export function payoutStep(status: Payout['status'], event: PayoutEvent): PayoutStep | undefined {
  return step({ state: STATES[status], context: {} }, event);
}
