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

/** How fast simulated cardholders and devices act: as people and devices do, or without taking any time. */
export const PACES = ['real', 'instant'] as const;
export type Pace = (typeof PACES)[number];

/**
 * Calls `run` once after `delayMs`, never synchronously. A delay of 0 uses a microtask, because the shortest timer
 * takes a millisecond.
 */
export function afterLatency(clock: Clock, delayMs: number, run: () => void): Timer {
  if (delayMs > 0) return after(clock, delayMs, run);
  let wanted = true;
  queueMicrotask(() => wanted && run());
  return { cancel: () => void (wanted = false) };
}

/** Resolves `delayMs` from now on this clock, or as soon as `signal` is aborted. Never rejects. */
export function abortableDelay(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      timer.cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = after(clock, delayMs, done);
    signal.addEventListener('abort', done);
  });
}

// setTimeout takes a signed 32-bit delay and fires at once for a longer one, so long waits are split.
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

interface Pending {
  atMs: number;
  run: () => void;
  /** None since the clock stands still before the instant. */
  timer: Timer | undefined;
}

/**
 * Another clock plus an offset that only grows (docs/choices.md, Clock). Increasing the offset takes effect at once, and
 * runs the calls that become due. It can stand still at instants that it is moved to, one after the other.
 */
export class OffsetClock implements Clock {
  readonly #base: Clock;
  readonly #onFailure: ((thrown: unknown) => void) | undefined;
  #offsetMs: number;
  /** The instant at which it stands still; undefined while it goes with the other clock. */
  #heldMs: number | undefined;
  readonly #pending = new Set<Pending>();

  /** @param onFailure called with what a scheduled call throws; without it, that ends the process */
  constructor(base: Clock, offsetMs: number, onFailure?: (thrown: unknown) => void) {
    this.#base = base;
    this.#offsetMs = offsetMs;
    this.#onFailure = onFailure;
  }

  get offsetMs(): number {
    return this.#heldMs === undefined ? this.#offsetMs : this.#heldMs - this.#base.nowMs();
  }

  nowMs(): number {
    return this.#heldMs ?? this.#base.nowMs() + this.#offsetMs;
  }

  at(atMs: number, run: () => void): Timer {
    const pending: Pending = { atMs, run, timer: undefined };
    this.#pending.add(pending);
    this.#schedule(pending);
    return {
      cancel: () => {
        pending.timer?.cancel();
        this.#pending.delete(pending);
      },
    };
  }

  /** Sets the offset. A smaller one than the current is ignored. While the clock stands still, it takes effect later. */
  setOffset(offsetMs: number): void {
    if (offsetMs <= this.#offsetMs) return;
    this.#offsetMs = offsetMs;
    if (this.#heldMs === undefined) this.#scheduleAll();
  }

  /**
   * Moves the clock to an instant, at which it stands still, and makes the calls that are due by then. An instant before
   * the current one counts as the current one.
   */
  standAt(instantMs: number): void {
    this.#heldMs = Math.max(instantMs, this.nowMs());
    for (const { timer } of this.#pending) timer?.cancel();
    const due = [...this.#pending].filter(({ atMs }) => atMs <= this.#heldMs!);
    for (const pending of due.sort((a, b) => a.atMs - b.atMs)) {
      // One before it may have cancelled it.
      if (this.#pending.has(pending)) this.#run(pending);
    }
  }

  /** Lets a clock that stands still go on with the other one, ahead of it by at least this offset. */
  goOn(offsetMs: number): void {
    this.#offsetMs = Math.max(this.#offsetMs, offsetMs, this.offsetMs);
    this.#heldMs = undefined;
    this.#scheduleAll();
  }

  #scheduleAll(): void {
    for (const pending of [...this.#pending].sort((a, b) => a.atMs - b.atMs)) this.#schedule(pending);
  }

  #schedule(pending: Pending): void {
    pending.timer?.cancel();
    if (this.#heldMs !== undefined && pending.atMs > this.#heldMs) return;
    pending.timer = this.#base.at(pending.atMs - this.offsetMs, () => this.#run(pending));
  }

  #run(pending: Pending): void {
    pending.timer?.cancel();
    this.#pending.delete(pending);
    try {
      pending.run();
    } catch (thrown) {
      if (!this.#onFailure) throw thrown;
      this.#onFailure(thrown);
    }
  }
}

/** Real time, by a clock of this machine. */
class MachineClock implements Clock {
  readonly #read: () => number;
  #lastMs = 0;

  constructor(read: () => number) {
    this.#read = read;
  }

  nowMs(): number {
    this.#lastMs = Math.max(this.#lastMs, this.#read());
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

/** Returns a clock whose instants count from the start of the process, whatever the date of this machine is set to. */
export function processClock(): Clock {
  return new MachineClock(() => performance.now());
}

/** Sandbox time: real time plus an offset that only grows. */
export class SystemClock extends OffsetClock {
  /**
   * @param offsetMs at the beginning; negative for a sandbox whose time is behind real time
   * @param onFailure called with what a scheduled call throws; without it, that ends the process
   */
  constructor(offsetMs = 0, onFailure?: (thrown: unknown) => void) {
    super(new MachineClock(() => Date.now()), offsetMs, onFailure);
  }
}
