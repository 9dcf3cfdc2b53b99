import { after, type Clock, type Timer } from '../../../protocol/clock.ts';

/** What of a call of the API waits. */
type HeldCall = 'request' | 'reply';

/** What faults put off, on real time. */
export interface Timers {
  /** Calls `run` after some real time, unless this is stopped before. */
  later(delayMs: number, run: () => void): void;
  /** Takes note that a message of a terminal was lost in one direction, and that a later one has passed. */
  messageLost(terminalId: string, direction: string): void;
  messagePassed(terminalId: string, direction: string): void;
  /** Forgets which messages of a terminal were lost; those of all when none is named. */
  forgetLost(terminalId?: string): void;
  /** Puts off a message, for some real time or until the returned function is called. */
  putOff(delayMs: number, pass: () => void): () => void;
  /**
   * Resolves with true after some real time, for a call of the API that waits for it; with false when this is stopped
   * before.
   */
  hold(delayMs: number, what: HeldCall): Promise<boolean>;
  /** Number of calls of the API that wait. */
  heldCalls(): number;
  /**
   * Resolves after some real time, for a transaction that waits for it, and with it whatever needs the store; earlier when
   * the plan that holds it is deleted.
   */
  holdStore(delayMs: number, planId: string): Promise<void>;
  /** Whether a transaction waits. */
  holdsStore(): boolean;
  /**
   * Returns in words what waits and is in no copy of the sandbox: it goes on here alone. A terminal whose message was lost
   * waits for the next one; in a copy it asks for what it missed.
   */
  heldBack(): string[];
  /** Lets each transaction begin that a plan holds; those of all plans when none is named. */
  releaseHeldBy(planId?: string): void;
  /** Lets each transaction begin that waits, and keeps none from now on: before a stop. */
  releaseStore(): void;
}

export function createTimers(realClock: Clock): Timers & { stop(): void } {
  const timers = new Set<Timer>();
  const messages = new Set<() => void>();
  const lost = createLostMessages();
  const held = new Map<(isPassed: boolean) => void, HeldCall>();
  /** What lets each transaction begin that waits, with the plan that holds it. */
  const heldStore = new Map<() => void, string>();
  let isReleased = false;
  let stopped = false;

  function later(delayMs: number, run: () => void): void {
    if (stopped) return;
    const timer = after(realClock, delayMs, () => {
      timers.delete(timer);
      run();
    });
    timers.add(timer);
  }

  return {
    later,
    messageLost: lost.add,
    messagePassed: lost.delete,
    forgetLost: lost.forget,
    putOff(delayMs, pass) {
      const passOnce = () => void (messages.delete(passOnce) && pass());
      messages.add(passOnce);
      later(delayMs, passOnce);
      return passOnce;
    },
    async hold(delayMs, what) {
      if (stopped) return false;
      let release!: (isPassed: boolean) => void;
      const released = new Promise<boolean>((resolve) => held.set((release = resolve), what));
      later(delayMs, () => release(true));
      return released.finally(() => held.delete(release));
    },
    heldCalls: () => held.size,
    async holdStore(delayMs, planId) {
      if (isReleased) return;
      await new Promise<void>((resolve) => {
        const release = () => void (heldStore.delete(release) && resolve());
        heldStore.set(release, planId);
        later(delayMs, release);
      });
    },
    holdsStore: () => heldStore.size > 0,
    heldBack: () => [
      ...(messages.size > 0 || lost.any() ? ['a message'] : []),
      ...([...held.values()].includes('request') ? ['a request'] : []),
      ...(heldStore.size > 0 ? ['a transaction of the store'] : []),
    ],
    releaseStore() {
      isReleased = true;
      for (const release of heldStore.keys()) release();
    },
    releaseHeldBy(planId) {
      for (const [release, holder] of heldStore) if (planId === undefined || holder === planId) release();
    },
    stop() {
      stopped = true;
      for (const timer of timers) timer.cancel();
      timers.clear();
      for (const release of held.keys()) release(false);
    },
  };
}

/** Keeps in which directions the last message of a terminal was lost. */
function createLostMessages() {
  const directionsOf = new Map<string, Set<string>>();
  return {
    add(terminalId: string, direction: string): void {
      directionsOf.set(terminalId, (directionsOf.get(terminalId) ?? new Set()).add(direction));
    },
    delete(terminalId: string, direction: string): void {
      const directions = directionsOf.get(terminalId);
      if (directions?.delete(direction) && directions.size === 0) directionsOf.delete(terminalId);
    },
    forget(terminalId?: string): void {
      if (terminalId === undefined) directionsOf.clear();
      else directionsOf.delete(terminalId);
    },
    any: () => directionsOf.size > 0,
  };
}
