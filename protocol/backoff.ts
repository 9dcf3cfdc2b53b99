import { fraction, type Random } from './ids.ts';

export interface BackoffLimits {
  /** The longest first pause, milliseconds. */
  initialMs: number;
  /** The longest pause. */
  maxMs: number;
  /** The longest pause of a row of tries that are refused; `maxMs` unless given. */
  maxRefusedMs?: number;
}

/** How long to pause before each try of a row of tries. */
export interface Backoff {
  nextMs(refused?: boolean): number;
  /** Begins a new row. */
  reset(): void;
}

/**
 * Pauses drawn evenly from nothing up to a bound that doubles with each try ("full jitter"): a thousand
 * terminals that lost the same broker come back spread out, not in step.
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
