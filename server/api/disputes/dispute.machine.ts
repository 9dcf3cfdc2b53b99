import { setup, transition } from 'xstate';
import type { Dispute } from './dispute.schema.ts';

/** What moves a dispute: the account, the card scheme, the cardholder, the clock. */
export type DisputeFact =
  | { type: 'dispute.accepted' }
  | { type: 'dispute.challenged' }
  | { type: 'scheme.decidedFor' }
  | { type: 'scheme.decidedAgainst' }
  | { type: 'cardholder.withdrew' }
  | { type: 'time.passed' };

/** What a step does besides; done in the transaction that writes the step. */
export type DisputeEffect = 'giveBack' | 'awaitDecision';

const machineSetup = setup({
  types: { events: {} as DisputeFact },
  actions: { giveBack: () => {}, awaitDecision: () => {} },
});

/**
 * A payment that its cardholder took back (Spec §3; docs/choices.md, Disputes). The money left when the dispute was
 * opened, and comes back only from a dispute that is won or withdrawn.
 */
export const disputeMachine = machineSetup.createMachine({
  id: 'dispute',
  initial: 'open',
  states: {
    open: {
      tags: 'Open',
      on: {
        'dispute.accepted': 'accepted',
        'dispute.challenged': { target: 'challenged', actions: 'awaitDecision' },
        'cardholder.withdrew': { target: 'cancelled', actions: 'giveBack' },
        'time.passed': 'expired',
      },
    },
    challenged: {
      tags: 'Challenged',
      on: {
        'scheme.decidedFor': { target: 'won', actions: 'giveBack' },
        'scheme.decidedAgainst': 'lost',
        'cardholder.withdrew': { target: 'cancelled', actions: 'giveBack' },
      },
    },
    accepted: { type: 'final', tags: 'Accepted' },
    won: { type: 'final', tags: 'Won' },
    lost: { type: 'final', tags: 'Lost' },
    expired: { type: 'final', tags: 'Expired' },
    cancelled: { type: 'final', tags: 'Cancelled' },
  },
});

const STATES = {
  Open: 'open',
  Challenged: 'challenged',
  Accepted: 'accepted',
  Won: 'won',
  Lost: 'lost',
  Expired: 'expired',
  Cancelled: 'cancelled',
} as const satisfies Record<Dispute['status'], string>;

/** The state of the machine in which a dispute has this status. */
export function disputeStateOf(status: Dispute['status']): string {
  return STATES[status];
}

export interface DisputeStep {
  status: Dispute['status'];
  /** Nothing leads on from here. */
  closed: boolean;
  effects: DisputeEffect[];
}

/** The step that a fact makes from a status; undefined when the fact cannot be there. */
export function disputeStep(status: Dispute['status'], fact: DisputeFact): DisputeStep | undefined {
  const before = disputeMachine.resolveState({ value: STATES[status] });
  if (!before.can(fact)) return undefined;
  const [after, actions] = transition(disputeMachine, before, fact);
  const [tag] = after.tags;
  return {
    status: tag as Dispute['status'],
    closed: after.status === 'done',
    effects: actions.map(({ type }) => type as DisputeEffect),
  };
}
