import { fraction, type Random } from './ids.ts';

export interface BackoffLimits {
  /** Upper bound of the first delay, milliseconds. */
  initialMs: number;
  /** Upper bound of all delays, milliseconds. */
  maxMs: number;
  /** Upper bound after a refused attempt, milliseconds; `maxMs` by default. */
  maxRefusedMs?: number;
}

/** Delays before the attempts of a series. */
export interface Backoff {
  nextMs(refused?: boolean): number;
  /** Starts a new series. */
  reset(): void;
}

/**
 * Creates an exponential backoff with full jitter: each delay is uniform between 0 and a bound that doubles with each
 * attempt, so that many terminals do not reconnect at the same moment.
 */
export function createBackoff(random: Random, limits: BackoffLimits): Backoff {
  const { maxMs, maxRefusedMs = maxMs } = limits;
  let boundMs = limits.initialMs;
  return {
    nextMs(refused = false) {
      const mostMs = refused ? maxRefusedMs : maxMs;
      const pauseMs = Math.floor(fraction(random) * Math.min(boundMs, mostMs));
      boundMs = Math.min(boundMs * 2, mostMs);
      return pauseMs;
    },
    reset() {
      boundMs = limits.initialMs;
    },
  };
}
