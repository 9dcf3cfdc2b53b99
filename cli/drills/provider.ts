import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { bodyOf, fetchTransport, jsonCall, refusalMessage, type ApiReply } from '../../protocol/api-call.ts';
import type { Json, Teller } from './stage.ts';

interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Under `/v1`. */
  path: string;
  body?: object;
  /** How long to wait for the reply; until the connection ends by default. */
  timeoutMs?: number;
}

/** How a shop calls the payment provider. */
export interface Provider {
  /** Sends a request once. @throws NoReply, Refused */
  once(call: Call): Promise<Json>;
  /** Reads a path until there is a reply. @throws Refused */
  read(path: string): Promise<Json>;
  /**
   * Sends a request until it is known to be done. When a reply is missing, it looks for what the request does before it
   * sends it again.
   * @param find resolves with what the request has made, undefined when it has not been done
   * @param options.isInterrupted whether a process that was stopped may have sent it: looks for a while before it sends it
   * @returns the reply, or what was found
   * @throws Refused
   */
  untilDone(
    call: Call,
    find: () => Promise<Json | undefined>,
    options?: { isInterrupted?: boolean },
  ): Promise<Json>;
}

/** The connection ended before there was a reply: the request may have been done or not. */
class NoReply extends Error {}

/** The reply says that the request was not done. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.status = status;
  }
}

interface Parts {
  url: string;
  secretKey: string;
  fetch: typeof fetch;
  sleep(ms: number): Promise<void>;
  /** Pause after a request without a reply. */
  pauseMs?: number;
  /** How long a read waits for its reply; until the connection ends by default. */
  readTimeoutMs?: number;
  /** Called after each request, so that what struck it is told before what the shop makes of it. */
  observe?(): Promise<void>;
  tell?(who: Teller, text: string): void;
}

const PAUSE_MS = 500;
const POLL_MS = 10_000;
/** What a process sent before it was stopped arrives within this time, or never. */
export const IN_FLIGHT_MS = 180_000;

export function openProvider(parts: Parts): Provider {
  const { sleep, observe, tell = () => {}, pauseMs = PAUSE_MS, readTimeoutMs } = parts;
  const carry = fetchTransport(parts.fetch, parts.url);

  async function send({ timeoutMs, path, ...call }: Call): Promise<ApiReply> {
    const sent = carry(jsonCall(parts, { ...call, path: `/v1${path}` })).catch(() =>
      Promise.reject(new NoReply('no reply')),
    );
    if (timeoutMs === undefined) return sent;
    return Promise.race([sent, sleep(timeoutMs).then(() => Promise.reject(new NoReply('no reply')))]);
  }

  const once: Provider['once'] = async (call) => {
    const [reply] = await Promise.allSettled([send(call)]);
    await observe?.();
    if (reply.status === 'rejected') throw reply.reason;
    const { status, text } = reply.value;
    // Text that is not JSON comes from another server: to ask again would not help.
    if (status >= 200 && status < 300) return parseOutsideJson(text);
    throw new Refused(status, refusalMessage(bodyOf(reply.value)) ?? text);
  };

  /** Sends a request once; undefined, and a pause, when its reply does not say whether it was done. @throws Refused */
  async function tried(call: Call, then: string): Promise<Json | undefined> {
    try {
      return await once(call);
    } catch (thrown) {
      if (!isUncertain(thrown)) throw thrown;
      tell('shop', `${thrown instanceof Refused ? `gets ${thrown.status}` : 'gets no reply'}, and ${then}`);
      await sleep(pauseMs);
      return undefined;
    }
  }

  async function read(path: string): Promise<Json> {
    const call: Call = {
      method: 'GET',
      path,
      ...(readTimeoutMs !== undefined && { timeoutMs: readTimeoutMs }),
    };
    for (;;) {
      const reply = await tried(call, 'asks again');
      if (reply !== undefined) return reply;
    }
  }

  return {
    once,
    read,
    async untilDone(call, find, { isInterrupted = false } = {}) {
      for (let waitedMs = 0; isInterrupted && waitedMs < IN_FLIGHT_MS; waitedMs += POLL_MS) {
        const found = await find();
        if (found !== undefined) return found;
        await sleep(POLL_MS);
      }
      for (;;) {
        const reply = await tried(call, 'looks whether the request was done');
        const done = reply ?? (await find());
        if (reply === undefined)
          tell('shop', done === undefined ? 'finds nothing, and sends it again' : 'finds that it was done');
        if (done !== undefined) return done;
      }
    },
  };
}

/** Returns whether a request that failed may have been done or will be: no reply, too many requests, or a 5xx. */
export function isUncertain(thrown: unknown): boolean {
  if (!(thrown instanceof Refused)) return thrown instanceof NoReply;
  return thrown.status === 429 || thrown.status >= 500;
}
