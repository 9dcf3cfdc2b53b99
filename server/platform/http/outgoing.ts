import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent, Dispatcher } from 'undici';
import { after, SystemClock, type Clock } from '../../../protocol/clock.ts';
import { Fault, messageOf, errorCode } from '../../../protocol/failures.ts';
import { isPrivateAddress } from './public-address.ts';
import type { OutgoingFetch, OutgoingRequest, Outgoing, PostAnswer } from '../outgoing.ts';
import { slowBody } from './bodies/slow-body.ts';

export interface OutgoingOptions {
  /** Refuse every address that is not public; set for a server with live keys. */
  publicOnly: boolean;
  /** Real time, by which requests time out. */
  clock?: Clock;
  /** Resolves a host name to all of its addresses; the system's resolver by default. */
  resolve?: (hostname: string) => Promise<LookupAddress[]>;
  /** Whether `publicOnly` refuses an address. */
  isPrivate?: (address: string) => boolean;
}

// Longest part of a response body that is read.
const ANSWER_BYTES_MAX = 64 * 1024;
// Longest part of the response to a POST that is returned.
const POST_ANSWER_BYTES_MAX = 4 * 1024;
// The registration of a webhook waits for the resolver, this long at most.
const RESOLVE_MS_MAX = 5_000;

/**
 * Creates the HTTP client for other servers. With `publicOnly` it resolves and checks the host, then connects to the
 * checked address, so that a name cannot resolve differently in between; TLS still names the host.
 *
 * Connections to one host are not limited here: requests would wait inside undici, which counts towards their timeout.
 * Callers limit how many requests are in progress.
 */
export function createOutgoing(options: OutgoingOptions): Outgoing {
  const {
    publicOnly,
    clock = new SystemClock(),
    resolve = resolveAll,
    isPrivate = isPrivateAddress,
  } = options;
  const connect = publicOnly ? { lookup: checkedLookup(resolve, isPrivate) } : {};
  let client: Promise<Agent> | undefined;
  let closed = false;

  /** Sends a request and reads the response up to the limit, within the timeout of the request. */
  async function exchange(
    method: 'GET' | 'POST',
    {
      url,
      headers,
      body,
      bodyMs,
      timeoutMs,
    }: OutgoingFetch & Partial<Pick<OutgoingRequest, 'body' | 'bodyMs'>>,
  ): Promise<Answer> {
    try {
      const { origin, hostname, pathname, search } = new URL(url);
      const host = withoutBrackets(hostname);
      // A host that is an address already is never looked up.
      if (publicOnly && isIP(host) && isPrivate(host)) throw privateAddressFault(host);
      if (closed) throw new Fault('internal', 'closed');
      const agent = await (client ??= loadAgent(connect));
      const path = pathname + search;
      const request =
        body === undefined || bodyMs === undefined
          ? { origin, path, method, headers, body: body ?? null }
          : { origin, path, method, ...slowBody(body, headers, { clock, bodyMs }) };
      return await answerTo(agent, request, { clock, timeoutMs, whole: method === 'GET' });
    } catch (error) {
      if (closed) throw new Fault('internal', 'closed while an answer was awaited', { cause: error });
      throw new Fault('transport', `no answer ${reasonOf(error)}`, { cause: error });
    }
  }

  return {
    async post(outgoing) {
      const { status, headers, chunks, bytes } = await exchange('POST', outgoing);
      const kept = Buffer.concat(chunks).subarray(0, POST_ANSWER_BYTES_MAX);
      return { status, headers, body: kept.toString('utf8'), isCut: bytes > POST_ANSWER_BYTES_MAX };
    },
    async get(outgoing) {
      const { status, headers, chunks } = await exchange('GET', outgoing);
      const type = headers['content-type'];
      const contentType = (Array.isArray(type) ? type[0] : type) ?? '';
      const body = Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX).toString('utf8');
      return { status, contentType, body };
    },
    async allowed(url) {
      if (!publicOnly) return true;
      const host = withoutBrackets(new URL(url).hostname);
      if (isIP(host)) return !isPrivate(host);
      const signal = AbortSignal.timeout(RESOLVE_MS_MAX);
      const addresses = await Promise.race([resolve(host), aborted(signal)]).catch(() => []);
      return arePublic(addresses, isPrivate);
    },
    async close() {
      closed = true;
      await (await client)?.destroy();
    },
  };
}

/** Loads undici at the first request, since loading it would be a fifteenth of a server's start. */
async function loadAgent(connect: { lookup?: LookupFunction }): Promise<Agent> {
  const undici = await import('undici');
  return new undici.Agent({ connect });
}

/** A response with the beginning of its body. */
interface Answer {
  status: number;
  headers: PostAnswer['headers'];
  chunks: Buffer[];
  bytes: number;
}

/**
 * Sends a request, and resolves with the response once its body has ended or reached the limit. A body that breaks
 * off or takes too long is a failure with `whole`; otherwise the status counts, whatever becomes of the body.
 *
 * It takes the parts of a response as they arrive: the stream that undici makes of a body, and a signal to abort, take
 * two fifths of the time of a small request.
 */
function answerTo(
  agent: Agent,
  request: Dispatcher.DispatchOptions,
  { clock, timeoutMs, whole }: { clock: Clock; timeoutMs: number; whole: boolean },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let connection: Dispatcher.DispatchController | undefined;
    let answer: Answer | undefined;
    let ended = false;
    const end = (failure?: Error) => {
      ended = true;
      timer.cancel();
      if (failure && (whole || !answer)) reject(failure);
      else resolve(answer!);
    };
    // undici times nothing until it is connected, so the connect is timed here too.
    const timer = after(clock, timeoutMs, () => {
      const late = new Late(timeoutMs);
      end(late);
      connection?.abort(late);
    });
    agent.dispatch(request, {
      onRequestStart(started) {
        connection = started;
        if (ended) started.abort(new Error('nobody waits for it'));
      },
      onResponseStart(_, status, headers) {
        // What precedes the response is only information.
        if (status >= 200) answer = { status, headers, chunks: [], bytes: 0 };
      },
      onResponseData(receiving, chunk) {
        answer!.chunks.push(chunk);
        answer!.bytes += chunk.length;
        if (answer!.bytes < ANSWER_BYTES_MAX) return;
        end();
        receiving.abort(new Error('the rest is not read'));
      },
      onResponseEnd: () => end(),
      onResponseError: (_, error) => end(error),
    });
  });
}

class Late extends Error {
  constructor(timeoutMs: number) {
    super(`within ${timeoutMs / 1000} s`);
  }
}

/** Returns the host of a URL as an address is written elsewhere. */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function resolveAll(hostname: string): Promise<LookupAddress[]> {
  return lookup(hostname, { all: true });
}

function privateAddressFault(host: string): Fault {
  return new Fault('transport', `${host} leads to a private address`);
}

/** Whether all addresses are public: Node may connect to any of them. */
function arePublic(addresses: readonly LookupAddress[], isPrivate: (address: string) => boolean): boolean {
  return addresses.length > 0 && addresses.every(({ address }) => !isPrivate(address));
}

/** Creates a lookup for `net.connect` that returns only public addresses. */
function checkedLookup(
  resolve: (hostname: string) => Promise<LookupAddress[]>,
  isPrivate: (address: string) => boolean,
): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        if (!arePublic(addresses, isPrivate)) return callback(privateAddressFault(hostname), []);
        // Node requests a single address when it was started with --no-network-family-autoselection.
        if (all) callback(null, addresses);
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** When every address of a host refuses, Node throws an error without a message but with a code. */
function reasonOf(error: unknown): string {
  if (error instanceof Late) return error.message;
  return `(${messageOf(error) || String(errorCode(error))})`;
}
