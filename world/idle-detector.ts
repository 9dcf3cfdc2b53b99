import { delay, monotonicMs, type Clock } from '../protocol/clock.ts';

// A world is idle after this many turns of the event loop without activity. Every hop between its parts (stream,
// broker, queue, store) takes a turn or two; none waits for real time.
const QUIET_TURNS = 15;
// Fewer are enough while nothing is pending in the whole process.
const QUIET_TURNS_OF_IDLE_PROCESS = 3;
// A function of a test may use the network, files or timers of the process, which take some milliseconds of real time.
const FUNCTION_MS_MAX = 100;
// With parts on the network, a world is idle when nothing arrived for this long.
const QUIET_NETWORK_MS = 20;
// Limits after which a world that never becomes idle fails with a message. Over the network the limit is a time.
const TURNS_MAX = 100_000;
const RESTLESS_NETWORK_MS_MAX = 30_000;
const NETWORK_TRIES_MAX = 500;

interface IdleDetectorParts {
  /** Returns whether nothing is pending. */
  quiet(): boolean;
  /** Returns a number that increases with each activity. */
  activity(): number;
  /** Functions of the test that the world waits for, such as one that replies for a webhook endpoint; none by default. */
  functions?: {
    /** Number of those that run and do not wait for the world. */
    readonly busy: number;
    /** Lets those that run count as waiting for the world. */
    leave(): void;
  };
  /** Returns whether something is pending in the process, perhaps of the world; asks Node by default. */
  processBusy?(): boolean;
  /** Returns real time in milliseconds that never goes back; that of the process by default. */
  realMs?(): number;
  /** Set when parts of the world are on the network. */
  network?: {
    /** Real time. */
    clock: Clock;
    /** Returns whether a connection is being opened. */
    connecting(): boolean;
    /** Resolves when what was sent has arrived, if the broker answers. */
    deliverAll(): Promise<void>;
  };
}

export interface IdleDetector {
  /** Resolves when the world is idle. */
  settled(): Promise<void>;
  /** Resolves with the first truthy result of `look`; throws with what was expected when the world is idle without one. */
  until<T>(what: string | (() => string), check: () => T | Promise<T>): Promise<NonNullable<T>>;
}

/**
 * Returns whether an immediate, a request to the operating system or a TCP connection is pending in this process. Node
 * does not list other work on threads, such as compression: `quiet` has to know of it.
 */
function isProcessBusy(): boolean {
  return process
    .getActiveResourcesInfo()
    .some((name) => name === 'Immediate' || name === 'TCPSocketWrap' || name.includes('Req'));
}

export function createIdleDetector(parts: IdleDetectorParts): IdleDetector {
  const { network, functions, processBusy = isProcessBusy, realMs = monotonicMs } = parts;
  let settledAt = -1;

  const isEnough = (quietTurns: number) =>
    quietTurns >= QUIET_TURNS || (quietTurns >= QUIET_TURNS_OF_IDLE_PROCESS && !processBusy());

  function settledForTurns(): Promise<void> {
    let quietTurns = 0;
    let turns = 0;
    let seen = parts.activity();
    let sinceMs = realMs();
    const endMs = network ? network.clock.nowMs() + RESTLESS_NETWORK_MS_MAX : Infinity;
    const isOverdue = () => (network ? network.clock.nowMs() > endMs : turns > TURNS_MAX);
    // Callbacks, since a promise for each turn takes twice the time of the turn, and a hunt waits some hundred turns a plan.
    return new Promise((resolve, reject) => {
      const check = () => {
        const now = parts.activity();
        const waitsForFunction = now === seen && functions !== undefined && functions.busy > 0;
        if (!waitsForFunction) {
          turns += 1;
          sinceMs = realMs();
        } else if (realMs() - sinceMs >= FUNCTION_MS_MAX) functions.leave();
        quietTurns = parts.quiet() && now === seen ? quietTurns + 1 : 0;
        seen = now;
        if (isEnough(quietTurns)) resolve();
        else if (isOverdue()) reject(new Error('the world did not become idle'));
        else setImmediate(check);
      };
      setImmediate(check);
    });
  }

  async function settled(): Promise<void> {
    await settledForTurns();
    // Idle: nothing more will arrive.
    while (network && (settledAt !== parts.activity() || network.connecting())) {
      settledAt = parts.activity();
      await delay(network.clock, QUIET_NETWORK_MS);
      await network.deliverAll();
      await settledForTurns();
      if (settledAt === parts.activity()) return;
    }
  }

  return {
    settled,
    async until<T>(what: string | (() => string), check: () => T | Promise<T>): Promise<NonNullable<T>> {
      const tries = network ? NETWORK_TRIES_MAX : 2;
      for (let tried = 0; tried < tries; tried++) {
        const seen = await check();
        if (seen) return seen;
        await settled();
        if (network) await delay(network.clock, QUIET_NETWORK_MS);
      }
      const description = typeof what === 'string' ? what : what();
      throw new Error(`the world is idle, and this did not happen: ${description}`);
    },
  };
}
