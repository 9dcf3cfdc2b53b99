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

/** Latest instant that a clock is set to, epoch milliseconds: dates on the wire have four digits for the year (Spec §2.1). */
export const LATEST_MS = Date.UTC(9999, 0, 1);

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
  timer: Timer;
}

/**
 * Another clock plus an offset that only grows (docs/choices.md, Clock). Increasing the offset takes effect at once, and
 * runs the calls that become due.
 */
export class OffsetClock implements Clock {
  readonly #base: Clock;
  #offsetMs: number;
  readonly #pending = new Set<Pending>();

  constructor(base: Clock, offsetMs: number) {
    this.#base = base;
    this.#offsetMs = offsetMs;
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  nowMs(): number {
    return this.#base.nowMs() + this.#offsetMs;
  }

  at(atMs: number, run: () => void): Timer {
    const pending: Pending = { atMs, run, timer: this.#timerOf(atMs, () => this.#run(pending)) };
    this.#pending.add(pending);
    return {
      cancel: () => {
        pending.timer.cancel();
        this.#pending.delete(pending);
      },
    };
  }

  /** Sets the offset. A smaller one than the current is ignored. */
  setOffset(offsetMs: number): void {
    if (offsetMs <= this.#offsetMs) return;
    this.#offsetMs = offsetMs;
    for (const pending of [...this.#pending].sort((a, b) => a.atMs - b.atMs)) {
      pending.timer.cancel();
      pending.timer = this.#timerOf(pending.atMs, () => this.#run(pending));
    }
  }

  #timerOf(atMs: number, run: () => void): Timer {
    return this.#base.at(atMs - this.#offsetMs, run);
  }

  #run(pending: Pending): void {
    this.#pending.delete(pending);
    pending.run();
  }
}

/** Real time. */
class RealClock implements Clock {
  #lastMs = 0;

  nowMs(): number {
    this.#lastMs = Math.max(this.#lastMs, Date.now());
    return this.#lastMs;
  }

  at(atMs: number, run: () => void): Timer {
    let handle: NodeJS.Timeout;
    const arm = () => {
      const waitMs = Math.min(Math.max(atMs - this.nowMs(), 0), LONGEST_TIMEOUT_MS);
      handle = setTimeout(() => (this.nowMs() < atMs ? arm() : run()), waitMs);
    };
    arm();
    return { cancel: () => clearTimeout(handle) };
  }
}

/** Sandbox time: real time plus an offset that only grows. */
export class SystemClock extends OffsetClock {
  /** @param offsetMs at the beginning; negative for a sandbox whose time is behind real time */
  constructor(offsetMs = 0) {
    super(new RealClock(), offsetMs);
  }
}
