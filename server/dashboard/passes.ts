import type { Clock } from '../../protocol/clock.ts';
import type { Ids } from '../../protocol/ids.ts';

/** Tokens that stand for the secret key, in memory alone: a page holds one, and not the key. */
export interface Passes {
  issue(): { token: string; expiresMs: number };
  /** Whether a token is good now. One that is used goes on being good. */
  admits(token: string): boolean;
}

export const PASS_PREFIX = 'dash_';

// A page that is left open on a second screen uses its token all day; one that was closed does not.
const GOOD_FOR_MS = 12 * 60 * 60 * 1000;
// Pages that are open at once, and those of today that were closed.
const PASSES_MAX = 200;
const TOKEN_BYTES = 32;

/** @param realClock tokens live in real time, whatever the sandbox's clock does */
export function createPasses({ ids, realClock }: { ids: Ids; realClock: Clock }): Passes {
  // Looked up by what was given: a token is 256 random bits, and nobody guesses them by how long that takes.
  const expiries = new Map<string, number>();
  const keep = (token: string): number => {
    const expiresMs = realClock.nowMs() + GOOD_FOR_MS;
    // The last to be used stands last, and the first goes when there are too many.
    expiries.delete(token);
    expiries.set(token, expiresMs);
    if (expiries.size > PASSES_MAX) expiries.delete(expiries.keys().next().value!);
    return expiresMs;
  };
  return {
    issue() {
      const token = PASS_PREFIX + ids.secret(TOKEN_BYTES);
      return { token, expiresMs: keep(token) };
    },
    admits(token) {
      const expiresMs = expiries.get(token);
      if (expiresMs === undefined) return false;
      if (realClock.nowMs() < expiresMs) return keep(token) > 0;
      expiries.delete(token);
      return false;
    },
  };
}
