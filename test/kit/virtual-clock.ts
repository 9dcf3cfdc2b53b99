import type { Timer } from '../../protocol/clock.ts';
import type { SandboxClock } from '../../server/platform/sandbox-clock.ts';

interface Pending {
  atMs: number;
  order: number;
  run: () => void;
}

/**
 * Time that stands still until a test moves it. What is due runs in order of its instant, then in the order it
 * was asked for; between two instants `settle` lets everything that was set going come to rest.
 */
export class VirtualClock implements SandboxClock {
  #nowMs: number;
  #offsetMs = 0;
  #order = 0;
  readonly #pending = new Set<Pending>();
  #settle: () => Promise<void>;

  constructor(startMs: number, settle: () => Promise<void> = turn) {
    this.#nowMs = startMs;
    this.#settle = settle;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  at(instantMs: number, run: () => void): Timer {
    // Its time is in whole milliseconds, as the system's is; nothing happens before its instant.
    const atMs = Math.ceil(instantMs);
    const pending = { atMs, order: this.#order++, run };
    this.#pending.add(pending);
    // What is due already runs without time moving, as on any clock.
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

  /** What the sandbox's clock control asks for: virtual time moves on by as much as the offset grows. */
  setOffset(offsetMs: number): void {
    const growthMs = offsetMs - this.#offsetMs;
    if (growthMs <= 0) return;
    this.#offsetMs = offsetMs;
    void this.advance(growthMs);
  }

  /** How the world comes to rest between two instants. */
  settleWith(settle: () => Promise<void>): void {
    this.#settle = settle;
  }

  /** Instants at which something waits to run, soonest first. */
  get due(): number[] {
    return [...this.#pending].map((pending) => pending.atMs).sort((a, b) => a - b);
  }

  /** Moves time on by `ms`, stopping at every instant where something is due. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    await this.#settle();
    for (let next = this.#next(endMs); next; next = this.#next(endMs)) {
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      this.#pending.delete(next);
      next.run();
      await this.#settle();
    }
    // Another advance may have gone further meanwhile; time does not go back.
    this.#nowMs = Math.max(this.#nowMs, endMs);
    await this.#settle();
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
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
