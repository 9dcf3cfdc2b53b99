import { setup, transition } from 'xstate';
import type { Payout } from './payout.schema.ts';

/** What a bank says of a payout. */
export type PayoutFact = { type: 'bank.paid' } | { type: 'bank.refused' } | { type: 'bank.returned' };

/** What a step does besides; done in the transaction that writes the step. */
export type PayoutEffect = 'notePaid' | 'takeBack' | 'invalidateMethod';

const machineSetup = setup({
  types: { events: {} as PayoutFact },
  actions: { notePaid: () => {}, takeBack: () => {}, invalidateMethod: () => {} },
});

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
      },
    },
    // A bank can still send back what it took.
    completed: {
      tags: 'Completed',
      on: { 'bank.returned': { target: 'returned', actions: ['takeBack', 'invalidateMethod'] } },
    },
    failed: { type: 'final', tags: 'Failed' },
    returned: { type: 'final', tags: 'Returned' },
  },
});

/** The statuses that this server gives a payout; the API knows more. */
export type LivedStatus = Extract<Payout['status'], 'InProgress' | 'Completed' | 'Failed' | 'Returned'>;

const STATES = {
  InProgress: 'inProgress',
  Completed: 'completed',
  Failed: 'failed',
  Returned: 'returned',
} as const satisfies Record<LivedStatus, string>;

/** The state of the machine in which a payout has this status. */
export function payoutStateOf(status: LivedStatus): string {
  return STATES[status];
}

export interface PayoutStep {
  status: LivedStatus;
  effects: PayoutEffect[];
}

/** The step that a fact makes from a status; undefined when the fact cannot be there. */
export function payoutStep(status: LivedStatus, fact: PayoutFact): PayoutStep | undefined {
  const before = payoutMachine.resolveState({ value: STATES[status] });
  if (!before.can(fact)) return undefined;
  const [after, actions] = transition(payoutMachine, before, fact);
  const [tag] = after.tags;
  return { status: tag as LivedStatus, effects: actions.map(({ type }) => type as PayoutEffect) };
}
