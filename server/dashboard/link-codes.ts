import type { Clock } from '../../protocol/clock.ts';
import type { Ids } from '../../protocol/ids.ts';
import { setBounded } from '../platform/bounded-map.ts';

/**
 * Single-use codes that are exchanged for the dashboard's token. `tapbench open` starts a browser with one, since
 * every user of a machine can read the arguments of its processes.
 */
export interface LinkCodes {
  issue(): string;
  /** Whether the code is valid. A code is valid once. */
  redeem(code: string): boolean;
}

const VALID_FOR_MS = 60_000;
const CODES_MAX = 20;
const CODE_BYTES = 32;

/** @param realClock codes expire in real time, whatever the sandbox's clock does */
export function createLinkCodes({ ids, realClock }: { ids: Ids; realClock: Clock }): LinkCodes {
  // Looked up directly: a code is 256 random bits, which no lookup gives away before it expires.
  const expiries = new Map<string, number>();
  return {
    issue() {
      const code = ids.secret(CODE_BYTES);
      setBounded(expiries, CODES_MAX, code, realClock.nowMs() + VALID_FOR_MS);
      return code;
    },
    redeem(code) {
      const expiresMs = expiries.get(code);
      expiries.delete(code);
      return expiresMs !== undefined && realClock.nowMs() < expiresMs;
    },
  };
}
