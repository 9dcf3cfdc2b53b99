import type { Clock, Timer } from '../../../protocol/clock.ts';

/** A timer for one time, which can be moved. */
export interface WakeTimer {
  /** Moves the timer. Infinity cancels it. */
  set(atMs: number): void;
}

export function createWakeTimer(clock: Clock, run: () => void): WakeTimer {
  let current: { atMs: number; timer: Timer } | undefined;
  return {
    set(atMs) {
      if (current?.atMs === atMs) return;
      current?.timer.cancel();
      current = undefined;
      if (atMs === Infinity) return;
      const timer = clock.at(atMs, () => {
        current = undefined;
        run();
      });
      current = { atMs, timer };
    },
  };
}
