import { parseOutsideJson } from '../../protocol/outside-json.ts';
import type { Json, Teller } from './story.ts';

interface Call {
  method: 'GET' | 'POST' | 'PATCH';
  /** Under `/v1`. */
  path: string;
  body?: object;
  /** Idempotency key. */
  key?: string;
}

/** How the shop of a drill calls the API. */
export interface Provider {
  /** Sends a request once. @throws NoReply, Refused */
  once(call: Call): Promise<Json>;
  /** Sends a request until there is a reply that says whether it was done. Only with a key, or to read. @throws Refused */
  surely(call: Call): Promise<Json>;
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
  async function send({ method, path, body, key }: Call): Promise<Response> {
    const headers = {
      authorization: secretKey,
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
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

  return {
    once,
    async surely(call) {
      for (;;) {
        try {
          return await once(call);
        } catch (thrown) {
          if (!isUncertain(thrown)) throw thrown;
          const why = thrown instanceof Refused ? `gets ${thrown.status}` : 'gets no reply';
          const again = call.key === undefined ? 'again' : `again with the same idempotency key ${call.key}`;
          tell('shop', `${why}, and sends the request ${again}`);
          await sleep(PAUSE_MS);
        }
      }
    },
  };
}

/** Whether the same request may yet succeed: there was no reply, it is under way, or there were too many, or a 5xx. */
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
