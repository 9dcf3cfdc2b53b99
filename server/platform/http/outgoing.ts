import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent, Dispatcher, request } from 'undici';
import { after, SystemClock, type Clock } from '../../../protocol/clock.ts';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import { isPrivateAddress } from './public-address.ts';
import type { OutgoingFetch, Outgoing } from '../outgoing.ts';

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
  let client: Promise<Client> | undefined;
  let closed = false;

  async function send(
    method: 'GET' | 'POST',
    outgoing: OutgoingFetch & { body?: string },
    signal: AbortSignal,
  ) {
    const { url, headers, body } = outgoing;
    const host = hostOf(url);
    // A host that is an address already is never looked up.
    if (publicOnly && isIP(host) && isPrivate(host)) throw privateAddressFault(host);
    if (closed) throw new Fault('internal', 'closed');
    const { request, agent } = await (client ??= loadClient(connect));
    return request(url, { method, headers, body: body ?? null, dispatcher: agent, signal });
  }

  /** Sends a request and reads the response, within the timeout of the request. */
  async function fetchAndRead<T>(
    method: 'GET' | 'POST',
    outgoing: OutgoingFetch & { body?: string },
    read: (answer: Answer, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    // Not AbortSignal.timeout, which keeps a request in memory for its whole timeout, although it has ended.
    const timeout = new AbortController();
    const { signal } = timeout;
    const timer = after(clock, outgoing.timeoutMs, () => timeout.abort());
    try {
      // undici observes the signal only once connected, so the connect is timed here.
      const answer = await Promise.race([send(method, outgoing, signal), aborted(signal)]);
      return await read(answer, signal);
    } catch (error) {
      if (closed) throw new Fault('internal', 'closed while an answer was awaited', { cause: error });
      const reason = signal.aborted ? `within ${outgoing.timeoutMs / 1000} s` : `(${reasonOf(error)})`;
      throw new Fault('transport', `no answer ${reason}`, { cause: error });
    } finally {
      timer.cancel();
    }
  }

  return {
    post: (outgoing) =>
      fetchAndRead('POST', outgoing, async ({ statusCode, headers, body }) => ({
        status: statusCode,
        headers,
        ...(await beginning(body)),
      })),
    get: (outgoing) =>
      fetchAndRead('GET', outgoing, async ({ statusCode, headers, body }, signal) => {
        const type = headers['content-type'];
        const contentType = (Array.isArray(type) ? type[0] : type) ?? '';
        return { status: statusCode, contentType, body: await Promise.race([head(body), aborted(signal)]) };
      }),
    async allowed(url) {
      if (!publicOnly) return true;
      const host = hostOf(url);
      if (isIP(host)) return !isPrivate(host);
      const signal = AbortSignal.timeout(RESOLVE_MS_MAX);
      const addresses = await Promise.race([resolve(host), aborted(signal)]).catch(() => []);
      return arePublic(addresses, isPrivate);
    },
    async close() {
      closed = true;
      await (await client)?.agent.destroy();
    },
  };
}

interface Client {
  request: typeof request;
  agent: Agent;
}

/** Loads undici at the first request, since loading it would be a fifteenth of a server's start. */
async function loadClient(connect: { lookup?: LookupFunction }): Promise<Client> {
  const undici = await import('undici');
  return { request: undici.request, agent: new undici.Agent({ connect }) };
}

type Answer = Dispatcher.ResponseData;

/** Reads a body up to the limit and returns its beginning, also of a body that breaks off. */
async function beginning(body: Answer['body']): Promise<{ body: string; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      if (bytes < POST_ANSWER_BYTES_MAX) chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes >= ANSWER_BYTES_MAX) break;
    }
  } catch {
    // The status counts, whatever becomes of the body.
  }
  const kept = Buffer.concat(chunks).subarray(0, POST_ANSWER_BYTES_MAX);
  return { body: kept.toString('utf8'), isCut: bytes > POST_ANSWER_BYTES_MAX };
}

/** Reads the beginning of a body; the rest is not read. */
async function head(body: Answer['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes >= ANSWER_BYTES_MAX) break;
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX).toString('utf8');
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
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
  const { code } = error as { code?: unknown };
  return messageOf(error) || String(code);
}
