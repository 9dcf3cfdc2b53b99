import type { DisputeEvent } from '../api/disputes/dispute.machine.ts';

/** The event that decides a dispute with each outcome, or withdraws it. */
export const OUTCOME_EVENTS = {
  Won: 'dispute.won',
  Lost: 'dispute.lost',
  Cancelled: 'dispute.withdrawn',
} as const satisfies Record<string, DisputeEvent['type']>;
