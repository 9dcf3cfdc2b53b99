import { fraction, type Random } from './ids.ts';

export interface BackoffLimits {
  /** The longest first pause, milliseconds. */
  firstMs: number;
  /** The longest pause ever. */
  lastMs: number;
}

/** How long to pause before each try of a row of tries. */
export interface Backoff {
  nextMs(): number;
  /** Begins a new row. */
  reset(): void;
}

/**
 * Pauses drawn evenly from nothing up to a bound that doubles with each try ("full jitter"): a thousand
 * terminals that lost the same broker come back spread out, not in step.
 */
export function createBackoff(random: Random, limits: BackoffLimits): Backoff {
  let boundMs = limits.firstMs;
  return {
    nextMs() {
      const pauseMs = Math.floor(fraction(random) * boundMs);
      boundMs = Math.min(boundMs * 2, limits.lastMs);
      return pauseMs;
    },
    reset() {
      boundMs = limits.firstMs;
    },
  };
}
