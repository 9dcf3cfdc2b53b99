import { after } from '../../protocol/clock.ts';
import { Fault } from '../../protocol/failures.ts';
import {
  fetchTransport,
  jsonCall,
  refusalMessage,
  type Caller,
  type Transport,
} from '../../protocol/api-call.ts';
import {
  answerOf,
  requestOf,
  sendCall,
  type Answer,
  type Arguments,
  type Given,
  type Item,
  type ListOperation,
  type Operation,
  type Reply,
} from '../../protocol/api-client.ts';
import { SETTINGS } from '../command-line/config.ts';
import { readKeys } from '../data-folder/data-folder.ts';
import { stringOption } from '../command-line/option.ts';
import { json } from '../command-line/output.ts';
import {
  sandboxOption,
  noServer,
  otherServerHint,
  type ServerAddress,
} from '../command-line/server-address.ts';
import type { CommandContext } from '../command-line/command-context.ts';

/** Options of every command that calls a running server. */
export const CLIENT_OPTIONS = {
  url: SETTINGS.url,
  secretKey: {
    ...SETTINGS.secretKey,
    description: 'The secret API key',
    defaultText: 'the one in DATA_DIR/keys.json',
  },
  dataDir: { ...SETTINGS.dataDir, description: 'Folder of the server on this machine, for its keys' },
  account: stringOption({ flag: '--account <id>', description: 'Act for this linked sub account' }),
  sandbox: sandboxOption,
  json,
};

const { account: _account, ...others } = CLIENT_OPTIONS;
/** Options of commands about a whole sandbox: those of a client, without an account to act for. */
export const SANDBOX_OPTIONS = others;

export interface ClientOptions extends ServerAddress {
  secretKey: string | undefined;
  dataDir: string;
  account?: string | undefined;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

interface RequestOptions {
  /** Makes the server do the request once, however often it is sent. Under `/v1` where IDEMPOTENCY_KEYS is on. */
  idempotencyKey?: string | undefined;
  /** Waits for the reply until the connection ends: a request that was given up can still be done. */
  untilEnd?: boolean;
}

/**
 * Client of the HTTP API for commands: it waits and sends again on 429, and while an earlier request with the same
 * idempotency key is in progress.
 */
export interface ServerApi extends Readonly<ServerAddress> {
  /**
   * Sends a request and returns the body of the reply.
   * @throws Fault `transport` when the server cannot be reached, `server_answer` with its message when it refuses.
   */
  call<O extends Operation>(operation: O, ...given: Arguments<O, RequestOptions>): Promise<Reply<O>>;
  /** Sends a request and returns its reply, whatever its status. */
  answer<O extends Operation>(
    operation: O,
    ...given: Arguments<O, RequestOptions>
  ): Promise<Answer<Reply<O>>>;
  /** Fetches all pages of a list, oldest item first. */
  list<O extends ListOperation>(operation: O): Promise<Item<O>[]>;
  /** Sends a request whose path is data, such as one that the user typed, as `answer` does. */
  ask(method: Method, path: string, body?: unknown, options?: RequestOptions): Promise<Answer<unknown>>;
}

const REQUEST_TIMEOUT_MS = 25_000;
const DEFAULT_RETRY_MS = 1000;
const PAGE_ITEMS = 50; // Spec §8, the most there may be

/**
 * Returns the secret key from the options or from keys.json in the data folder.
 * @throws Fault `bad_setting` when there is no key.
 */
export function secretKeyOf(options: Pick<ClientOptions, 'secretKey' | 'dataDir'>): string {
  const secretKey = options.secretKey ?? readKeys(options.dataDir).secretKey;
  if (secretKey === undefined) {
    throw new Fault(
      'bad_setting',
      `SECRET_KEY is not set and ${options.dataDir}/keys.json has none: set SECRET_KEY, or set DATA_DIR to the server's data folder`,
    );
  }
  return secretKey;
}

/** Creates a client with the key of `secretKeyOf`. @throws Fault `bad_setting` when there is no key. */
export function connectApi(context: CommandContext, options: ClientOptions): ServerApi {
  const secretKey = secretKeyOf(options);
  const { url, origin, account } = options;
  return createApi(context, httpTransport(context, options), { url, origin, secretKey, account });
}

/**
 * Sends requests with `fetch`. Each ends at its signal, or with the command. @throws Fault `transport` when the server
 * cannot be reached; the abort reason when the command is interrupted.
 */
export function httpTransport(
  context: Pick<CommandContext, 'fetch' | 'interrupted'>,
  server: ServerAddress,
): Transport {
  const { interrupted } = context;
  const carry = fetchTransport((...request) => context.fetch(...request), server.url);
  return async ({ signal, ...call }) => {
    try {
      return await carry({ ...call, signal: signal ? AbortSignal.any([interrupted, signal]) : interrupted });
    } catch (error) {
      interrupted.throwIfAborted();
      throw noServer(server, error);
    }
  };
}

/** Sends requests again after a while, on 429 and while an earlier request with the same idempotency key is in progress. */
function retrying(context: Pick<CommandContext, 'clock' | 'interrupted'>, carry: Transport): Transport {
  return async (call) => {
    for (;;) {
      const reply = await carry(call);
      const retryAfter = reply.headers['retry-after'];
      const later = reply.status === 429 || (reply.status === 409 && retryAfter !== undefined);
      if (!later) return reply;
      await pause(context, millisecondsOf(retryAfter) ?? DEFAULT_RETRY_MS);
    }
  };
}

export function createApi(
  context: Pick<CommandContext, 'clock' | 'interrupted'>,
  carry: Transport,
  { url, origin, ...caller }: ServerAddress & Caller,
): ServerApi {
  const unlimited = retrying(context, carry);
  const limited = retrying(context, (sent) =>
    carry({ ...sent, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }),
  );

  function answer<O extends Operation>(
    operation: O,
    ...given: Arguments<O, RequestOptions>
  ): Promise<Answer<Reply<O>>>;
  function answer(operation: string, { untilEnd = false, ...given }: Given & RequestOptions = {}) {
    return sendCall(untilEnd ? unlimited : limited, caller, operation, given);
  }

  function call<O extends Operation>(operation: O, ...given: Arguments<O, RequestOptions>): Promise<Reply<O>>;
  async function call(operation: string, { untilEnd = false, ...given }: Given & RequestOptions = {}) {
    const reply = await sendCall(untilEnd ? unlimited : limited, caller, operation, given);
    return replyOf({ url, origin }, requestOf(operation, given), reply);
  }

  async function list<O extends ListOperation>(operation: O): Promise<Item<O>[]>;
  async function list(operation: 'GET /v1/events'): Promise<unknown[]> {
    const items: unknown[] = [];
    let startsAfter: string | undefined;
    do {
      const page = await call(operation, { query: { ascending: true, limit: PAGE_ITEMS, startsAfter } });
      items.push(...page.items);
      startsAfter = page.paginationToken ?? undefined;
    } while (startsAfter !== undefined);
    return items;
  }

  return {
    url,
    origin,
    call,
    answer,
    list,
    async ask(method, path, body, { untilEnd = false, idempotencyKey } = {}) {
      const sent = jsonCall(caller, { method, path, body, idempotencyKey });
      return answerOf(await (untilEnd ? unlimited : limited)(sent));
    },
  };
}

/**
 * Returns the body of an answer to a request.
 * @throws Fault `server_answer` with the message of the server when it refuses
 */
export function replyOf<Body>(
  server: ServerAddress,
  { method, path }: { method: string; path: string },
  answer: Answer<Body>,
): Body {
  if (answer.ok) return answer.body;
  if (answer.status !== 200 && answer.status !== 202) throw refused(method, path, answer, server);
  const problem = `${method} ${server.url}${path} did not return JSON: is that a Tapbench server?`;
  throw new Fault('server_answer', `${problem}${otherServerHint(server)}`);
}

/**
 * Returns what the user typed as the value that an operation takes: the server checks it, and its message says what is
 * wrong.
 */
export function checkedByServer<T>(value: unknown): T {
  return value as T;
}

/**
 * Turns an error reply (Spec §7) into a Fault with its first message, and a hint where the server may be another than
 * the one that was meant.
 */
export function refused(
  method: string,
  path: string,
  answer: { status: number; body: unknown },
  server: ServerAddress = { url: '' },
): Fault {
  const message = refusalMessage(answer.body);
  if (message === undefined) {
    const why = `${method} ${path} was refused (${answer.status}): is that a Tapbench server?`;
    return new Fault('server_answer', `${why}${otherServerHint(server)}`);
  }
  const hint = [401, 403].includes(answer.status)
    ? `; the key comes from SECRET_KEY, else from DATA_DIR${otherServerHint(server)}`
    : '';
  return new Fault('server_answer', `${message} (${answer.status})${hint}`);
}

/** Retry-After in seconds (RFC 9110 §10.2.3). The date form is not used by our servers. */
function millisecondsOf(header: string | string[] | number | undefined): number | undefined {
  return header !== undefined && /^\d{1,3}$/.test(String(header)) ? Number(header) * 1000 : undefined;
}

/** Resolves after `ms`. Rejects with the abort reason when the command is interrupted first. */
export function pause(
  { clock, interrupted }: Pick<CommandContext, 'clock' | 'interrupted'>,
  ms: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    interrupted.throwIfAborted();
    const stop = () => {
      timer.cancel();
      reject(interrupted.reason as Error);
    };
    const timer = after(clock, ms, () => {
      interrupted.removeEventListener('abort', stop);
      resolve();
    });
    interrupted.addEventListener('abort', stop, { once: true });
  });
}
