import type { Timers } from './timers.ts';

/**
 * Real milliseconds from the moment at which a server is ready until plans of before its start can kill it: time enough
 * to delete such a plan.
 */
const KILL_PAUSE_MS = 5_000;

/** How faults can end the process of a server, where something starts it again. */
export interface ServerKiller {
  kill(): void;
  /** Resolves when the server is ready: it listens, and its terminals are online. By default once its sandbox has started. */
  ready?: Promise<void>;
}

/** When faults of a sandbox can kill its server. */
export interface KillTimes {
  /** Lets plans kill from now on; those of before the start after a pause, if they kill a process. */
  admit(after: 'at once' | 'a pause'): void;
  /** Whether a plan can kill the server now. */
  allows(plan: { isOfEarlierStart: boolean }): boolean;
}

/**
 * Creates the times of kills of a sandbox that starts: nothing can kill its server until `admit`. Else a plan could kill
 * it at each start, before anybody can delete the plan.
 */
export function createKillTimes({ later }: Pick<Timers, 'later'>): KillTimes {
  let newPlans = false;
  let earlierPlans = false;
  return {
    admit(after) {
      newPlans = true;
      if (after === 'at once') earlierPlans = true;
      else later(KILL_PAUSE_MS, () => (earlierPlans = true));
    },
    allows: ({ isOfEarlierStart }) => (isOfEarlierStart ? earlierPlans : newPlans),
  };
}
