import { after, type Clock, type Timer } from '../../../protocol/clock.ts';

// From one attempt to the next, in real time: a clock that is advanced moves no attempt forward.
const FIRST_MS = 1_000;
const LONGEST_MS = 10_000;

/** The wait for a store that fails: one second after the first failure, ever longer after the next ones. */
export interface StoreRetry {
  /** Whether an attempt is due later. Nothing is tried before, whatever falls due meanwhile. */
  readonly waits: boolean;
  /** Tries again later. */
  later(retry: () => void): void;
  /** Begins with the shortest wait after the next failure. */
  succeeded(): void;
  cancel(): void;
}

export function createStoreRetry(realClock: Clock): StoreRetry {
  let timer: Timer | undefined;
  let nextMs = FIRST_MS;
  return {
    get waits() {
      return timer !== undefined;
    },
    later(retry) {
      timer?.cancel();
      timer = after(realClock, nextMs, () => {
        timer = undefined;
        retry();
      });
      nextMs = Math.min(nextMs * 2, LONGEST_MS);
    },
    succeeded() {
      nextMs = FIRST_MS;
    },
    cancel: () => timer?.cancel(),
  };
}
