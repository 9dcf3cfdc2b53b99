import type { Clock, Timer } from '../../protocol/clock.ts';
import type { ActionContext, ActionEvent } from './action-events.ts';

/** The one timer of an action: for its deadline, or for the next authorisation request if that is earlier. */
export interface ActionTimer {
  /** Sets the timer to the times in the context. Does nothing when the time is unchanged. */
  update(context: ActionContext): void;
  cancel(): void;
}

/** @param send called when the timer expires. */
export function createActionTimer(clock: Clock, send: (event: ActionEvent) => void): ActionTimer {
  let current: { atMs: number; timer: Timer } | undefined;
  const cancel = () => {
    current?.timer.cancel();
    current = undefined;
  };
  return {
    update({ deadlineMs, askAgainMs }) {
      const retriesFirst = askAgainMs != null && (deadlineMs === null || askAgainMs < deadlineMs);
      const atMs = retriesFirst ? askAgainMs : deadlineMs;
      if (current && current.atMs === atMs) return;
      cancel();
      if (atMs === null) return;
      const timer = clock.at(atMs, () => {
        current = undefined;
        send({ type: retriesFirst ? 'authorisation.overdue' : 'deadline.passed' });
      });
      current = { atMs, timer };
    },
    cancel,
  };
}
