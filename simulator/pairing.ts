import { refusalMessage } from '../protocol/api-call.ts';
import { after, type Clock } from '../protocol/clock.ts';
import { Fault, messageOf } from '../protocol/failures.ts';
import type { Random } from '../protocol/ids.ts';
import type { LinkCredentials } from '../protocol/link.ts';
import type { Log } from '../protocol/log.ts';
import { createBackoff } from '../protocol/reconnecting-link.ts';
import { checker, Type } from '../protocol/schema.ts';
import { TerminalKeys } from '../protocol/terminal-keys.ts';

/**
 * HTTP client of a simulator. Rejects when the server cannot be reached, and with Fault `bad_setting` when the request
 * cannot be made at all, as without a key.
 */
export interface SandboxApi {
  request(method: 'GET' | 'POST', path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
}

/** Result of a pairing: MQTT credentials and a terminal's keys for card data. */
export interface PairedCredentials extends LinkCredentials {
  /** Only for terminals; missing in credential files of older versions. */
  keys?: TerminalKeys;
}

/** Body of `POST /pairing/terminals/{id}`. */
export interface PairingRequest {
  /** Refuse when the terminal is online, or when an action is in progress. */
  unless?: 'Online' | 'Busy';
}

/** Thrown when the server refuses to pair a terminal; `reason` is its message. */
export class PairingRefused extends Fault {
  readonly terminalId: string;
  readonly status: number;
  readonly reason: string;

  constructor(path: string, status: number, reason: string) {
    super('server_answer', `POST ${path} answered ${status}${reason && `: ${reason}`}`);
    this.terminalId = path.split('/').at(-1)!;
    this.status = status;
    this.reason = reason;
  }
}

interface PairingParts {
  api: SandboxApi;
  clock: Clock;
  random: Random;
  log: Log;
}

export interface Pairing {
  /**
   * Requests the credentials of a terminal or simulator, and retries until the server replies. Resolves with
   * undefined when `signal` is aborted first.
   * @throws Fault `server_answer` when the server refuses, or its reply is not valid; `bad_setting` when it cannot be
   * asked.
   */
  pair(path: string, signal: AbortSignal, request?: PairingRequest): Promise<PairedCredentials | undefined>;
}

const PAUSES = { initialMs: 500, maxMs: 30_000 };

// A fleet pairs all terminals at its start; this limits the concurrent requests.
const AT_ONCE = 50;

const Credentials = Type.Object({
  clientId: Type.String({ minLength: 1 }),
  username: Type.String({ minLength: 1 }),
  password: Type.String({ minLength: 1 }),
  keys: Type.Optional(TerminalKeys),
});
const checkCredentials = checker(Credentials);

export function createPairing({ api, clock, random, log }: PairingParts): Pairing {
  const gate = createConcurrencyLimit(AT_ONCE);
  return {
    async pair(path, signal, request) {
      const backoff = createBackoff(random, PAUSES);
      while (!signal.aborted) {
        const answer = await gate(() => ask(api, path, request));
        if (signal.aborted) return undefined;
        if (answer.credentials) return answer.credentials;
        const pauseMs = backoff.nextMs();
        log.warn({ path, problem: answer.problem, pauseMs }, 'pairing failed, trying again');
        await waitOrAbort(clock, pauseMs, signal);
      }
      return undefined;
    },
  };
}

type Answer = { credentials: PairedCredentials; problem?: never } | { credentials?: never; problem: string };

/** Sends one request. Returns a problem for temporary failures (no connection, 408, 429, 5xx); throws for others. */
async function ask(api: SandboxApi, path: string, request?: PairingRequest): Promise<Answer> {
  let reply: Awaited<ReturnType<SandboxApi['request']>>;
  try {
    reply = await api.request('POST', path, request);
  } catch (error) {
    if (error instanceof Fault && error.code === 'bad_setting') throw error;
    return { problem: messageOf(error) };
  }
  const { status, body } = reply;
  if (status === 408 || status === 429 || status >= 500) return { problem: `answered ${status}` };
  if (status !== 200) throw new PairingRefused(path, status, refusalMessage(body) ?? '');
  const problem = checkCredentials(body)[0];
  if (problem) throw new Fault('server_answer', `POST ${path}: ${problem.path} ${problem.message}`);
  const { clientId, username, password, keys } = body as PairedCredentials;
  return { credentials: { clientId, username, password, ...(keys && { keys }) } };
}

function waitOrAbort(clock: Clock, pauseMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      timer.cancel();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = after(clock, pauseMs, finish);
    signal.addEventListener('abort', finish);
  });
}

/** Creates a function that runs at most `places` tasks at a time, in order of arrival. */
function createConcurrencyLimit(places: number): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = places;
  return async (run) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
