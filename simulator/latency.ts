import { after, type Clock, type Timer } from '../protocol/clock.ts';

/**
 * Calls `run` once, `delayMs` from now, never synchronously. A pause of 0 does not go through the clock, whose
 * shortest real wait is a millisecond: so a world without latency adds none to what it surrounds.
 */
export function afterLatency(clock: Clock, delayMs: number, run: () => void): Timer {
  if (delayMs > 0) return after(clock, delayMs, run);
  let wanted = true;
  queueMicrotask(() => wanted && run());
  return { cancel: () => void (wanted = false) };
}
