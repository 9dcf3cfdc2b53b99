import { setup } from 'xstate';
import { stepsOf } from '../../../protocol/machine-step.ts';
import type { Dispute } from './dispute.schema.ts';

/** Events from the account, the card scheme, the cardholder and the clock. */
export type DisputeEvent =
  | { type: 'dispute.accepted' }
  | { type: 'dispute.challenged' }
  | { type: 'dispute.won' }
  | { type: 'dispute.lost' }
  | { type: 'dispute.withdrawn' }
  | { type: 'deadline.passed' };

const machineSetup = setup({
  types: { events: {} as DisputeEvent, tags: {} as Dispute['status'] },
  actions: { reinstateFunds: () => {}, scheduleDecision: () => {} },
});

/**
 * The lifecycle of a dispute, a payment that its cardholder charged back (Spec §3; docs/choices.md, Disputes). The
 * money is withdrawn when the dispute is opened, and returned only when it is won or withdrawn.
 */
export const disputeMachine = machineSetup.createMachine({
  id: 'dispute',
  initial: 'open',
  states: {
    open: {
      tags: 'Open',
      on: {
        'dispute.accepted': 'accepted',
        'dispute.challenged': { target: 'challenged', actions: 'scheduleDecision' },
        'dispute.withdrawn': { target: 'cancelled', actions: 'reinstateFunds' },
        'deadline.passed': 'expired',
      },
    },
    challenged: {
      tags: 'Challenged',
      on: {
        'dispute.won': { target: 'won', actions: 'reinstateFunds' },
        'dispute.lost': 'lost',
        'dispute.withdrawn': { target: 'cancelled', actions: 'reinstateFunds' },
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

/** Returns the state of the machine for a dispute with this status. */
export function disputeStateOf(status: Dispute['status']) {
  return STATES[status];
}

const step = stepsOf(disputeMachine, {
  effects: ['reinstateFunds', 'scheduleDecision'],
});

type DisputeStep = NonNullable<ReturnType<typeof step>>;

/** Returns the step that an event makes from a status; undefined when the event changes nothing there. */
export function disputeStep(status: Dispute['status'], event: DisputeEvent): DisputeStep | undefined {
  return step({ state: STATES[status], context: {} }, event);
}
