import type { Clock } from '../../protocol/clock.ts';
import { constantTimeEqual } from '../platform/constant-time-equal.ts';
import { parseBody } from '../platform/http/bodies/json-body.ts';
import { jsonResponse, type PlainRoute, type PlainRequest } from '../platform/http/pages/plain-route.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { Services } from '../platform/services.ts';
import type { Ids } from '../../protocol/ids.ts';
import { setBounded } from '../platform/bounded-map.ts';
import { authenticator, type Caller } from '../platform/http/auth.ts';

/** Reads a header of a request. */
type Headers = (name: string) => string | undefined;

/** What the route needs of its server. */
interface SessionParts {
  services: Pick<Services, 'settings'>;
  codes: Pick<LinkCodes, 'redeem'>;
  failedKeys: AttemptLimit;
}

/**
 * Returns the dashboard's token for the secret key, or for a code of `tapbench open`. The address of a request proves
 * nothing: a reverse proxy on this machine connects from loopback with any headers, so a token always needs a key or
 * code (docs/choices.md, Dashboard). A page from another origin gets no token.
 */
export const sessionRoute: PlainRoute<SessionParts> = {
  method: 'POST',
  path: '/dashboard/session',
  async handle({ header, body, senderAddress }, parts) {
    const { settings } = parts.services;
    if (!isSamePage(header, settings.publicUrl)) throw new Refusal('foreign_page');
    const { key, code } = readCredentials(body);
    if (key === undefined && code === undefined) throw new Refusal('key_wanted');
    // A code cannot be guessed, so wrong keys from behind the same proxy do not keep it out.
    if (code === undefined) checkKey(key!, senderAddress, parts);
    else if (!parts.codes.redeem(code)) throw new Refusal('bad_key');
    return jsonResponse({ token: settings.dashboardToken });
  },
};

function checkKey(key: string, senderAddress: string, { services, failedKeys }: SessionParts): void {
  if (!failedKeys.mayTry(senderAddress)) throw new Refusal('too_many_tries');
  if (constantTimeEqual(key, services.settings.secretKey)) return;
  failedKeys.failed(senderAddress);
  throw new Refusal('bad_key');
}

function readCredentials(body: string): { key?: string; code?: string } {
  const given = (parseBody(body) ?? {}) as { key?: string; code?: string };
  for (const field of ['key', 'code'] as const) {
    if (given[field] === undefined || typeof given[field] === 'string') continue;
    throw new Refusal('invalid_field', { field, problem: 'must be a text' });
  }
  return given;
}

/**
 * Whether a request comes from a page of this server, or from no page at all. Browsers send the origin of a page
 * with every POST and every WebSocket, and a page cannot change it. This is a second line of defence and grants
 * nothing by itself. A proxy that changes Host needs PUBLIC_URL.
 */
export function isSamePage(header: Headers, publicUrl: string): boolean {
  const site = header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const origin = header('origin');
  if (origin === undefined) return true;
  // The public URL may have a path.
  if (`${publicUrl}/`.startsWith(`${origin}/`)) return true;
  return URL.canParse(origin) && new URL(origin).host === header('host')?.toLowerCase();
}

type AttemptLimit = ReturnType<typeof createAttemptLimit>;

const TRIES_MAX = 10;
const TRIES_WITHIN_MS = 60_000;
// Further addresses are counted together, so that forged ones do not fill the memory.
const SENDERS_MAX = 1_000;

/** Limits wrong keys by sender: after `TRIES_MAX` in a minute, no key is checked until the minute has passed. */
export function createAttemptLimit(clock: Clock) {
  const senders = new Map<string, { sinceMs: number; count: number }>();
  const nameOf = (address: string) => (senders.has(address) || senders.size < SENDERS_MAX ? address : '');
  return {
    mayTry(address: string): boolean {
      for (const [sender, { sinceMs }] of senders) {
        if (clock.nowMs() - sinceMs >= TRIES_WITHIN_MS) senders.delete(sender);
      }
      return (senders.get(nameOf(address))?.count ?? 0) < TRIES_MAX;
    },
    failed(address: string): void {
      const sender = nameOf(address);
      const known = senders.get(sender) ?? { sinceMs: clock.nowMs(), count: 0 };
      senders.set(sender, { ...known, count: known.count + 1 });
    },
  };
}

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

/** Admits a request with the dashboard's token or the secret key. @throws Refusal as the API does */
export type Guard = (request: PlainRequest) => Promise<Caller>;

export function createGuard(services: Services): Guard {
  const authenticate = authenticator(services);
  return async ({ header }) => {
    const [authorization, account] = [header('authorization'), header('account')];
    return authenticate('dashboard', { authorization, account });
  };
}
