import { SystemClock, type Timer } from '../protocol/clock.ts';
import { withTimeout } from '../protocol/with-timeout.ts';
import type { SandboxClock } from '../server/platform/sandbox-clock.ts';

// What closes engines on the network takes real time too.
const REAL_MS_MAX = 10_000;

interface Pending {
  atMs: number;
  order: number;
  run: () => void;
}

/**
 * A clock that only the test advances. Calls run in order of their instants, then in order of scheduling; after each
 * instant `settle` waits until the world is idle.
 */
export class VirtualClock implements SandboxClock {
  readonly isVirtual = true;
  #nowMs: number;
  #offsetMs = 0;
  #order = 0;
  readonly #pending = new Set<Pending>();
  #settle: () => Promise<void>;

  constructor(startMs: number, settle: () => Promise<void> = turn) {
    this.#nowMs = startMs;
    this.#settle = settle;
  }

  /** Creates a clock that calls have advanced by `offsetMs` before, as that of a forked world. */
  static continuing(nowMs: number, offsetMs: number): VirtualClock {
    const clock = new this(nowMs);
    clock.#offsetMs = offsetMs;
    return clock;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  at(instantMs: number, run: () => void): Timer {
    // Rounded up to whole milliseconds, so that nothing runs early.
    const atMs = Math.ceil(instantMs);
    const pending = { atMs, order: this.#order++, run };
    this.#pending.add(pending);
    // A call that is already due runs without advancing time.
    if (atMs <= this.#nowMs) {
      setImmediate(() => {
        if (this.#pending.delete(pending)) run();
      });
    }
    return { cancel: () => void this.#pending.delete(pending) };
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  /**
   * Advances virtual time by the growth of the offset; called by the sandbox's clock control. Resolves when it has passed.
   */
  async setOffset(offsetMs: number): Promise<void> {
    const growthMs = offsetMs - this.#offsetMs;
    if (growthMs <= 0) return;
    this.#offsetMs = offsetMs;
    await this.passOffset(growthMs);
  }

  /** Lets the time pass by which the offset has grown. */
  protected passOffset(growthMs: number): Promise<void> {
    return this.advance(growthMs);
  }

  /** Sets the function that waits until the world is idle. */
  settleWith(settle: () => Promise<void>): void {
    this.#settle = settle;
  }

  /** Instants of scheduled calls, soonest first. */
  get due(): number[] {
    return [...this.#pending].map((pending) => pending.atMs).sort((a, b) => a - b);
  }

  /**
   * Advances time by `ms`, running the calls that become due.
   * @param until when it is aborted, the rest of the time does not pass
   */
  async advance(ms: number, until?: AbortSignal): Promise<void> {
    const endMs = this.#nowMs + ms;
    await this.#settle();
    while (!until?.aborted && (await this.runNext(endMs)));
    if (until?.aborted) return;
    // A concurrent advance may have gone further.
    this.#nowMs = Math.max(this.#nowMs, endMs);
  }

  /**
   * Advances time to the next scheduled call, runs it and waits until the world is idle, as it must be before. Returns
   * false when nothing is scheduled until `endMs`.
   */
  async runNext(endMs = Infinity): Promise<boolean> {
    const next = this.#next(endMs);
    if (!next) return false;
    this.#nowMs = Math.max(this.#nowMs, next.atMs);
    this.#pending.delete(next);
    next.run();
    await this.#settle();
    return true;
  }

  /**
   * Advances time second by second until `ended` resolves, as closing may need, for at most two minutes.
   * @throws Error when it has not ended then, nor within ten seconds of real time
   */
  async advanceUntil(ended: Promise<void>): Promise<void> {
    let hasEnded = false;
    void ended.finally(() => (hasEnded = true)).catch(() => {});
    for (let seconds = 0; !hasEnded && seconds < 120; seconds++) await this.advance(1000);
    await withTimeout(
      new SystemClock(),
      REAL_MS_MAX,
      ended,
      'two minutes have passed, and what was to end has not',
    );
  }

  #next(endMs: number): Pending | undefined {
    let soonest: Pending | undefined;
    for (const pending of this.#pending) {
      if (pending.atMs > endMs) continue;
      if (
        !soonest ||
        pending.atMs < soonest.atMs ||
        (pending.atMs === soonest.atMs && pending.order < soonest.order)
      ) {
        soonest = pending;
      }
    }
    return soonest;
  }
}

/** One turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
