import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import { isPrivateAddress } from './public-address.ts';
import type { OutgoingFetch, Outgoing } from '../outgoing.ts';

export interface OutgoingOptions {
  /** Refuse every address that is not public: for a server with live keys. */
  publicOnly: boolean;
  /** All addresses of a host name; the system's resolver by default. */
  resolve?: (hostname: string) => Promise<LookupAddress[]>;
  /** Which addresses are refused with `publicOnly`. */
  isPrivate?: (address: string) => boolean;
}

// A receiver answers with a status; more than this of a body is not read.
const ANSWER_BYTES_MAX = 64 * 1024;
// Somebody waits for the answer to a registration, so a resolver is not waited for longer than this.
const RESOLVE_MS_MAX = 5_000;

/**
 * The real way out. With `publicOnly` a host is looked up first and the connection then goes to the address that
 * was checked, so that a name cannot lead elsewhere between the two; TLS still names the host.
 *
 * Connections to one host are not limited here: requests would wait for one inside undici, on their own time.
 * Who sends sees to it that not too many are under way.
 */
export function createOutgoing(options: OutgoingOptions): Outgoing {
  const { publicOnly, resolve = resolveAll, isPrivate = isPrivateAddress } = options;
  const agent = new Agent({ connect: publicOnly ? { lookup: checkedLookup(resolve, isPrivate) } : {} });
  let closed = false;

  async function send(
    method: 'GET' | 'POST',
    outgoing: OutgoingFetch & { body?: string },
    signal: AbortSignal,
  ) {
    const { url, headers, body } = outgoing;
    const host = hostOf(url);
    // A host that is an address already is never looked up.
    if (publicOnly && isIP(host) && isPrivate(host)) throw leadsToPrivate(host);
    return request(url, { method, headers, body: body ?? null, dispatcher: agent, signal });
  }

  /** Asks, and has the answer read, in the time that the request allows. */
  async function ask<T>(
    method: 'GET' | 'POST',
    outgoing: OutgoingFetch & { body?: string },
    read: (answer: Answer, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const signal = AbortSignal.timeout(outgoing.timeoutMs);
    try {
      // undici heeds the signal only once it has a connection, so one that is never made is timed here.
      const answer = await Promise.race([send(method, outgoing, signal), aborted(signal)]);
      return await read(answer, signal);
    } catch (error) {
      if (closed) throw new Fault('internal', 'closed while an answer was awaited', { cause: error });
      const reason = signal.aborted ? `within ${outgoing.timeoutMs / 1000} s` : `(${reasonOf(error)})`;
      throw new Fault('transport', `no answer ${reason}`, { cause: error });
    }
  }

  return {
    post: (outgoing) =>
      ask('POST', outgoing, async (answer) => {
        await answer.body.dump({ limit: ANSWER_BYTES_MAX });
        return { status: answer.statusCode };
      }),
    get: (outgoing) =>
      ask('GET', outgoing, async ({ statusCode, headers, body }, signal) => {
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
      return areOpen(addresses, isPrivate);
    },
    async close() {
      closed = true;
      await agent.destroy();
    },
  };
}

type Answer = Awaited<ReturnType<typeof request>>;

/** The beginning of a body; the rest is not read. */
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

function leadsToPrivate(host: string): Fault {
  return new Fault('transport', `${host} leads to a private address`);
}

/** One private address among public ones is enough to refuse: nobody says which would be connected to. */
function areOpen(addresses: readonly LookupAddress[], isPrivate: (address: string) => boolean): boolean {
  return addresses.length > 0 && addresses.every(({ address }) => !isPrivate(address));
}

/** A look-up for `net.connect` that answers only addresses which were checked. */
function checkedLookup(
  resolve: (hostname: string) => Promise<LookupAddress[]>,
  isPrivate: (address: string) => boolean,
): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        if (!areOpen(addresses, isPrivate)) return callback(leadsToPrivate(hostname), []);
        // Node asks for one address alone when it was started with --no-network-family-autoselection.
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
