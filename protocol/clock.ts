/**
 * The one source of time. Everything that reads the time or waits is handed a `Clock`, so that a test world
 * can freeze it and the sandbox can advance it. Instants are epoch milliseconds; the wire uses seconds.
 */
export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** The current instant, epoch milliseconds. Never goes backwards. */
  nowMs(): number;
  /** Calls `run` once when this clock reaches `atMs` (at once, but never synchronously, if it already has). */
  at(atMs: number, run: () => void): Timer;
}

/** Epoch seconds, as every `...Timestamp` on the wire (Spec §2.1). */
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

// setTimeout holds its delay in a signed 32-bit integer; a longer wait fires at once. We wake and wait again.
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

interface Pending {
  atMs: number;
  run: () => void;
  handle: NodeJS.Timeout | undefined;
}

/**
 * Real time plus an offset that only grows: sandbox time (docs/choices.md, Clock). Raising the offset runs
 * what has become due. With offset 0 it is plain real time.
 */
export class SystemClock implements Clock {
  #offsetMs = 0;
  #lastMs = 0;
  readonly #pending = new Set<Pending>();

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

  /** Moves this clock to real time plus `offsetMs`; a smaller offset than the present one is ignored. */
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
