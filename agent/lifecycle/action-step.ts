import type { ActionStatus } from '../../protocol/messages/action.messages.ts';

/** One step of the action machine, for inspection. */
export interface ActionStep {
  actionId: string;
  /** Type of the event, or `action.started`. */
  event: string;
  /** Dotted paths of the previous state, null for the first step, and of the new state. */
  from: string | null;
  state: string;
  status: ActionStatus;
  /** Deadline of the new state, epoch milliseconds; null when it has none. */
  deadlineMs: number | null;
}
