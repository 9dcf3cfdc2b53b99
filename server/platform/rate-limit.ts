import type { Clock } from '../../protocol/clock.ts';
import type { Mode, ServerSettings } from './settings.ts';

/** Requests a second for each key (Spec §8). A burst of as many again is let through (docs/choices.md). */
export const RATE_PER_SECOND: Record<Mode, number> = { sandbox: 5, live: 50 };
const BURST_FACTOR = 2;

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Counts requests, each limit on its own, on real time whatever the sandbox clock does. */
export interface RateLimits {
  /** Counts a request under `key`, and returns whether it may pass. */
  allow(limit: { name: string; perSecond: number }, key: string): boolean;
}

/**
 * Creates a token bucket for each limit and key. Only keys that are known here get this far, so there are few.
 * @param settings read at each call: the setup calls of a start are not limited, those after it are
 */
export function createRateLimits(settings: Pick<ServerSettings, 'rateLimit'>, realClock: Clock): RateLimits {
  const buckets = new Map<string, Bucket>();
  return {
    allow({ name, perSecond }, key) {
      if (settings.rateLimit === 'off') return true;
      const nowMs = realClock.nowMs();
      const capacity = perSecond * BURST_FACTOR;
      const id = `${name} ${key}`;
      const bucket = buckets.get(id) ?? { tokens: capacity, atMs: nowMs };
      bucket.tokens = Math.min(capacity, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * perSecond);
      bucket.atMs = nowMs;
      buckets.set(id, bucket);
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
  };
}
