import { parseOutsideJson } from '../../protocol/outside-json.ts';
import type { Json, Teller } from './story.ts';

interface Call {
  method: 'GET' | 'POST' | 'PATCH';
  /** Under `/v1`. */
  path: string;
  body?: object;
}

/** How the shop of a drill calls the API. */
export interface Provider {
  /** Sends a request once. @throws NoReply, Refused */
  once(call: Call): Promise<Json>;
  /** Reads a path until there is a reply. @throws Refused */
  read(path: string): Promise<Json>;
  /**
   * Sends a request until it is known to be done. When a reply is missing, it looks for what the request does before it
   * sends it again.
   * @param find resolves with what the request has made, undefined when it has not been done
   * @returns the reply, or what was found
   * @throws Refused
   */
  untilDone(call: Call, find: () => Promise<Json | undefined>): Promise<Json>;
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
  /** Called after each request, so that what struck it is told before what the shop makes of it. */
  observe(): Promise<void>;
  tell(who: Teller, text: string): void;
}

const PAUSE_MS = 500;

export function openProvider({ url, secretKey, fetch, sleep, observe, tell }: Parts): Provider {
  async function send({ method, path, body }: Call): Promise<Response> {
    const headers = { authorization: secretKey, ...(body && { 'content-type': 'application/json' }) };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return fetch(`${url}/v1${path}`, sent).catch(() => Promise.reject(new NoReply('no reply')));
  }

  const once: Provider['once'] = async (call) => {
    const [reply] = await Promise.allSettled([send(call)]);
    await observe();
    if (reply.status === 'rejected') throw reply.reason;
    const { ok, status } = reply.value;
    const text = await reply.value.text();
    if (ok) return parseOutsideJson(text);
    throw new Refused(status, messageOf(text));
  };

  /** Sends a request once; undefined, and a pause, when its reply does not say whether it was done. @throws Refused */
  async function tried(call: Call, then: string): Promise<Json | undefined> {
    try {
      return await once(call);
    } catch (thrown) {
      if (!isUncertain(thrown)) throw thrown;
      tell('shop', `${thrown instanceof Refused ? `gets ${thrown.status}` : 'gets no reply'}, and ${then}`);
      await sleep(PAUSE_MS);
      return undefined;
    }
  }

  async function read(path: string): Promise<Json> {
    for (;;) {
      const reply = await tried({ method: 'GET', path }, 'asks again');
      if (reply !== undefined) return reply;
    }
  }

  return {
    once,
    read,
    async untilDone(call, find) {
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

/** Whether the reply leaves open if the request was done or will be: there was none, there were too many requests, or a 5xx. */
function isUncertain(thrown: unknown): boolean {
  if (!(thrown instanceof Refused)) return thrown instanceof NoReply;
  return thrown.status === 429 || thrown.status >= 500;
}

function messageOf(text: string): string {
  try {
    return String((parseOutsideJson(text) as { errors: { message: unknown }[] }).errors[0]?.message);
  } catch {
    return text;
  }
}
