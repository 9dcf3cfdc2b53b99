import { isIP } from 'node:net';
import type { Clock } from '../../protocol/clock.ts';
import { sameText } from '../same-text.ts';
import { parseBody } from '../http/json-body.ts';
import { jsonAnswer, type PlainRequest, type PlainRoute } from '../http/plain-route.ts';
import { Refusal } from '../http/refusals.ts';
import type { Services } from '../services.ts';
import type { Passes } from './passes.ts';

/** What a request says of where it comes from, by header. */
export type Headers = (name: string) => string | undefined;

export interface SessionParts {
  services: Services;
  passes: Passes;
  /** Address that this server listens on; undefined when it listens nowhere, and only its own process asks. */
  listensOn(): string | undefined;
}

/**
 * Gives the dashboard's page its token (docs/choices.md, Dashboard). On the machine itself it is there for the
 * asking: then the server listens on loopback alone, and is called by a name of loopback, so that a name that
 * somebody else leads here (DNS rebinding) gets nothing. Otherwise, and with live keys, it takes the secret key.
 * A page from elsewhere gets a token in no case.
 */
export function sessionRoute({ services, passes, listensOn }: SessionParts): PlainRoute {
  const { settings, realClock } = services;
  const tries = createTries(realClock);
  return {
    method: 'POST',
    path: '/dashboard/session',
    async handle({ header, body, senderAddress }: PlainRequest) {
      if (!isSamePage(header)) throw new Refusal('foreign_page');
      const key = keyIn(body);
      if (key !== undefined) {
        if (!tries.mayTry(senderAddress)) throw new Refusal('too_many_tries');
        if (!sameText(key, settings.secretKey)) {
          tries.failed(senderAddress);
          throw new Refusal('bad_key');
        }
      } else if (settings.mode === 'live' || !isAtHome(header, listensOn())) {
        throw new Refusal('key_wanted');
      }
      return jsonAnswer(passes.issue());
    },
  };
}

function keyIn(body: string): string | undefined {
  const { key } = (parseBody(body) ?? {}) as { key?: unknown };
  if (key === undefined) return undefined;
  if (typeof key !== 'string')
    throw new Refusal('invalid_field', { field: 'key', problem: 'must be a text' });
  return key;
}

/** Whether who asks sits at this machine: no name, address or proxy between says otherwise. */
function isAtHome(header: Headers, listensOn: string | undefined): boolean {
  if (listensOn !== undefined && !isLoopback(listensOn)) return false;
  return !PROXIED.some((name) => header(name) !== undefined) && isLoopback(hostName(header('host')));
}

const PROXIED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** A name or an address of this machine itself (RFC 6761 §6.3). */
function isLoopback(host: string): boolean {
  const name = host.replace(/^::ffff:/, '');
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true;
  return isIP(name) === 4 && name.startsWith('127.');
}

/** Without port and brackets. */
function hostName(host: string | undefined): string {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec(host ?? '') ?? [];
  return (bracketed ?? plain ?? '').toLowerCase();
}

/**
 * Whether a request comes from a page of this server, or from no page at all: browsers say where a page is from
 * with every POST and every WebSocket, and no page can make them say otherwise.
 */
export function isSamePage(header: Headers): boolean {
  const site = header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const origin = header('origin');
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === header('host')?.toLowerCase();
}

const TRIES_MAX = 10;
const TRIES_WITHIN_MS = 60_000;
// Beyond it nobody is counted any more singly, so that addresses made up do not fill the memory.
const SENDERS_MAX = 1_000;

/** Wrong keys by sender: so many in a minute, and then none is looked at until it has passed. */
function createTries(clock: Clock) {
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
