import { after, type Clock } from '../../protocol/clock.ts';
import type { Activities } from '../../server/platform/activities.ts';

// Terminals in this process connect in milliseconds; an external broker may be unreachable.
const ONLINE_MS_MAX = 10_000;

interface TrackerParts {
  /** Real time. */
  clock: Clock;
  activities: Activities;
  /** Ends every wait. */
  givenUp: AbortSignal;
}

interface OnlineTracker {
  /**
   * Starts listening for terminals that come online. The returned function resolves when all given ones have done so or
   * were left, on abort, or after ten seconds.
   */
  track(): (terminalIds: string[]) => Promise<void>;
  /** Waits no longer for a terminal that is not simulated here. */
  leave(terminalId: string): void;
}

/** Tracks which terminals come online. */
export function trackOnlineTerminals({ clock, activities, givenUp }: TrackerParts): OnlineTracker {
  const left = new Set<string>();
  const listeners = new Set<() => void>();
  return {
    leave(terminalId) {
      left.add(terminalId);
      for (const listener of listeners) listener();
    },
    track() {
      const online = new Set<string>();
      let changed = () => {};
      const stopListening = activities.listen('terminals that come online', (activity) => {
        if (activity.kind !== 'terminal.presence' || !activity.online) return;
        online.add(activity.terminalId);
        changed();
      });
      return (terminalIds) =>
        new Promise((resolve) => {
          const finish = () => {
            timer.cancel();
            stopListening();
            listeners.delete(changed);
            resolve();
          };
          const timer = after(clock, ONLINE_MS_MAX, finish);
          changed = () => {
            if (terminalIds.every((id) => online.has(id) || left.has(id))) finish();
          };
          listeners.add(changed);
          if (givenUp.aborted) return finish();
          givenUp.addEventListener('abort', finish, { once: true });
          changed();
        });
    },
  };
}
