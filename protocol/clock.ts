/** A scheduled call. */
export interface Timer {
  cancel(): void;
}

/**
 * The source of time. Whatever reads the time or waits takes a `Clock`, so that a test can freeze it and the sandbox
 * can advance it. Instants are epoch milliseconds.
 */
export interface Clock {
  /** The current instant, epoch milliseconds. Never goes backwards. */
  nowMs(): number;
  /** Calls `run` once when this clock reaches `atMs` (at once, but never synchronously, if it already has). */
  at(atMs: number, run: () => void): Timer;
}

/** Returns the milliseconds since some instant, with fractions: for durations that are shown and decide nothing. */
export function monotonicMs(): number {
  return performance.now();
}

/** Converts epoch milliseconds to epoch seconds, as in every `...Timestamp` field (Spec §2.1). */
export function toTimestamp(epochMs: number): number {
  return Math.floor(epochMs / 1000);
}

/** Calls `run` once, `delayMs` from now. */
export function after(clock: Clock, delayMs: number, run: () => void): Timer {
  return clock.at(clock.nowMs() + delayMs, run);
}

/** Resolves `delayMs` from now on this clock. */
export function delay(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => after(clock, delayMs, resolve));
}

// setTimeout takes a signed 32-bit delay and fires at once for a longer one, so long waits are split.
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

interface Pending {
  atMs: number;
  run: () => void;
  handle: NodeJS.Timeout | undefined;
}

/**
 * Sandbox time: real time plus an offset that only grows (docs/choices.md, Clock). Increasing the offset runs the
 * calls that become due.
 */
export class SystemClock implements Clock {
  #offsetMs: number;
  #lastMs = 0;
  readonly #pending = new Set<Pending>();

  /** @param offsetMs at the beginning; negative for a sandbox whose time is behind real time */
  constructor(offsetMs = 0) {
    this.#offsetMs = offsetMs;
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  nowMs(): number {
    this.#lastMs = Math.max(this.#lastMs, Date.now() + this.#offsetMs);
    return this.#lastMs;
  }

  at(atMs: number, run: () => void): Timer {
    const pending: Pending = { atMs, run, handle: undefined };
    this.#pending.add(pending);
    this.#arm(pending);
    return {
      cancel: () => {
        clearTimeout(pending.handle);
        this.#pending.delete(pending);
      },
    };
  }

  /** Sets the offset. A smaller one than the current is ignored. */
  setOffset(offsetMs: number): void {
    if (offsetMs <= this.#offsetMs) return;
    this.#offsetMs = offsetMs;
    for (const pending of [...this.#pending].sort((a, b) => a.atMs - b.atMs)) {
      clearTimeout(pending.handle);
      this.#arm(pending);
    }
  }

  #arm(pending: Pending): void {
    const waitMs = Math.min(Math.max(pending.atMs - this.nowMs(), 0), LONGEST_TIMEOUT_MS);
    pending.handle = setTimeout(() => {
      if (this.nowMs() < pending.atMs) return this.#arm(pending);
      this.#pending.delete(pending);
      pending.run();
    }, waitMs);
  }
}
