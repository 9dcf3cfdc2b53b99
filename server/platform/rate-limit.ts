import type { Clock } from '../../protocol/clock.ts';
import type { Mode, ServerSettings } from './settings.ts';

/** Requests a second for each key (Spec §8). A burst of as many again is let through (docs/choices.md). */
export const RATE_PER_SECOND: Record<Mode, number> = { sandbox: 5, live: 50 };
const BURST_FACTOR = 2;

interface Bucket {
  perSecond: number;
  /** Negative when more requests passed at all servers together than may. */
  tokens: number;
  atMs: number;
  /** Tokens that came while the bucket was full, since the requests at other servers were last counted. */
  overflow: number;
}

/** Counts requests, each limit on its own, on real time whatever the sandbox clock does. */
export interface RateLimits {
  /** Counts a request under `key`, and returns whether it may pass. */
  allow(limit: { name: string; perSecond: number }, key: string): boolean;
  /** How many requests have passed here since the start, by the ids of limit and key. */
  passed(): Readonly<Record<string, number>>;
  /** Counts requests that passed at other servers since the last call, by ids as those of `passed`. */
  countElsewhere(passed: ReadonlyMap<string, number>): void;
  /** Calls back when a request has passed. */
  onPassed(listener: () => void): void;
}

/**
 * Creates a token bucket for each limit and key. Only keys that are known here get this far, so there are few.
 * @param settings read at each call: the setup calls of a start are not limited, those after it are
 */
export function createRateLimits(settings: Pick<ServerSettings, 'rateLimit'>, realClock: Clock): RateLimits {
  const buckets = new Map<string, Bucket>();
  const passed: Record<string, number> = {};
  const listeners: (() => void)[] = [];
  return {
    allow({ name, perSecond }, key) {
      if (settings.rateLimit === 'off') return true;
      const nowMs = realClock.nowMs();
      const id = `${name} ${key}`;
      const bucket = buckets.get(id) ?? fullBucket(perSecond, nowMs);
      buckets.set(id, bucket);
      refill(bucket, nowMs);
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      passed[id] = (passed[id] ?? 0) + 1;
      for (const listener of listeners) listener();
      return true;
    },
    passed: () => passed,
    countElsewhere(others) {
      const nowMs = realClock.nowMs();
      for (const [id, bucket] of buckets) {
        refill(bucket, nowMs);
        // The tokens of the time since the last call were for all servers.
        const taken = Math.max(0, (others.get(id) ?? 0) - bucket.overflow);
        bucket.tokens = Math.max(-capacityOf(bucket), bucket.tokens - taken);
        bucket.overflow = 0;
      }
    },
    onPassed: (listener) => void listeners.push(listener),
  };
}

const capacityOf = ({ perSecond }: Pick<Bucket, 'perSecond'>): number => perSecond * BURST_FACTOR;

function fullBucket(perSecond: number, atMs: number): Bucket {
  return { perSecond, tokens: capacityOf({ perSecond }), atMs, overflow: 0 };
}

function refill(bucket: Bucket, nowMs: number): void {
  const tokens = bucket.tokens + ((nowMs - bucket.atMs) / 1000) * bucket.perSecond;
  bucket.tokens = Math.min(capacityOf(bucket), tokens);
  bucket.overflow += tokens - bucket.tokens;
  bucket.atMs = nowMs;
}
