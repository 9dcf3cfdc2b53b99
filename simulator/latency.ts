import { after, type Clock, type Timer } from '../protocol/clock.ts';

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
