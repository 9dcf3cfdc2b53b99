import type { Clock } from '../../../protocol/clock.ts';
import type { Mode } from '../services.ts';

/** Requests a second for each key (Spec §8). A burst of as many again is let through (docs/choices.md). */
export const RATE_PER_SECOND: Record<Mode, number> = { sandbox: 5, live: 50 };
const BURST_FACTOR = 2;

interface Bucket {
  tokens: number;
  atMs: number;
}

/**
 * A token bucket for each key, on real time whatever the sandbox clock does. Answers whether a request may pass.
 * Only keys that are known here get this far, so there are few.
 */
export function rateLimiter(ratePerSecond: number, realClock: Clock): (key: string) => boolean {
  const capacity = ratePerSecond * BURST_FACTOR;
  const buckets = new Map<string, Bucket>();
  return (key) => {
    const nowMs = realClock.nowMs();
    const bucket = buckets.get(key) ?? { tokens: capacity, atMs: nowMs };
    bucket.tokens = Math.min(capacity, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * ratePerSecond);
    bucket.atMs = nowMs;
    buckets.set(key, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  };
}
