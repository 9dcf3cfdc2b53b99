import { after, type Clock, type Timer } from '../../protocol/clock.ts';
import type { Activities, ActivityOf } from '../platform/activities.ts';
import { WAIT_SECONDS_MAX, type TerminalWait } from './terminal-wait.schema.ts';

// What another server on the store has seen has no activity here.
const READ_EVERY_MS = 1_000;

/** Returns whether a query names something to wait for. */
export function asksToWait({ state, online }: TerminalWait): boolean {
  return state !== undefined || online !== undefined;
}

/** A terminal as it is read. */
interface Seen {
  online: boolean;
  state: string | null;
}

interface WaitParts {
  activities: Activities;
  realClock: Clock;
}

/**
 * Reads the terminal until it is as the wait asks, or until its seconds have passed. Returns what was read last; a state that
 * the terminal was in for a moment is not missed.
 * @param read takes the state of the step that was the reason to read
 */
export async function waitForTerminal<T extends Seen>(
  { activities, realClock }: WaitParts,
  terminalId: string,
  { state, online, waitSeconds = WAIT_SECONDS_MAX }: TerminalWait,
  read: (stepState?: string) => Promise<T>,
): Promise<T> {
  const states = state?.split(',');
  const isThere = (path: string | null) => !states || states.some((name) => path?.split('.').includes(name));
  const isAsked = (seen: Seen) => isThere(seen.state) && (online === undefined || seen.online === online);

  const changes = followChanges({ activities, realClock }, terminalId, waitSeconds * 1000);
  try {
    let seen = await read();
    while (!isAsked(seen)) {
      const change = await changes.next();
      if (change === 'late') return seen;
      seen = await read(change?.state);
    }
    return seen;
  } finally {
    changes.stop();
  }
}

/** A step of the terminal, undefined for another reason to read, or the end of the wait. */
type Change = Pick<ActivityOf<'terminal.stepped'>, 'state'> | undefined | 'late';

/** Follows what a terminal does, from now on, for a time. */
function followChanges({ activities, realClock }: WaitParts, terminalId: string, waitMs: number) {
  const arrived: Change[] = [];
  let wake = () => {};
  const add = (change: Change) => {
    arrived.push(change);
    wake();
  };
  let again: Timer;
  const readAgain = () => {
    again = after(realClock, READ_EVERY_MS, () => {
      add(undefined);
      readAgain();
    });
  };
  readAgain();
  const end = after(realClock, waitMs, () => add('late'));
  const stopListening = activities.listen('calls that wait for a terminal', (activity) => {
    if (!('terminalId' in activity) || activity.terminalId !== terminalId) return;
    if (activity.kind === 'terminal.stepped') add(activity);
    else if (activity.kind === 'terminal.presence') add(undefined);
  });
  return {
    async next(): Promise<Change> {
      if (arrived.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return arrived.shift();
    },
    stop() {
      again.cancel();
      end.cancel();
      stopListening();
    },
  };
}
