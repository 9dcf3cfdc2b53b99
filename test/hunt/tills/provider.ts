import type { HuntScene } from '../../../testing/hunt/hunt.ts';

// oxlint-disable-next-line no-explicit-any -- replies of the API
export type Json = any;

/** A reply that is no success. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`${status}: ${text}`);
    this.status = status;
  }
}

const READ_TIMEOUT_MS = 10_000;
const PAUSE_MS = 1_000;
const LOOK_MS = 10_000;
/** What a process sent before it was stopped arrives within this time, or never. */
export const ON_ITS_WAY_MS = 180_000;

interface Call {
  method: 'GET' | 'POST';
  /** Under `/v1`. */
  path: string;
  body?: object;
  /** How long to wait for the reply; until the connection ends by default. */
  timeoutMs?: number;
}

/** How a till calls the payment provider. */
export interface Provider {
  /** Sends a request once. @throws Refused, or Error when there is no reply */
  once(call: Call): Promise<Json>;
  /** Reads a path until there is a reply. @throws Refused */
  read(path: string): Promise<Json>;
  /**
   * Sends a request until it is known to be done; after each that has no reply it looks before it sends the next.
   * @param find resolves with what the request makes, undefined when that is not there
   * @returns the reply, or what was found
   * @throws Refused
   */
  untilDone(
    call: Call,
    find: () => Promise<Json | undefined>,
    options?: {
      /** Whether a stopped process may have sent it. */
      isInterrupted?: boolean;
    },
  ): Promise<Json>;
}

/** Returns whether a request that failed may have been done, or can be done a little later. */
export function isUncertain(thrown: unknown): boolean {
  return !(thrown instanceof Refused) || thrown.status === 429 || thrown.status >= 500;
}

export function openProvider({
  fetch,
  sleep,
  world,
}: Pick<HuntScene, 'fetch' | 'sleep' | 'world'>): Provider {
  const once: Provider['once'] = async ({ method, path, body, timeoutMs }) => {
    const headers = {
      authorization: world.secretKey,
      ...(body && { 'content-type': 'application/json' }),
    };
    const sent = fetch(`${world.url}/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const late = timeoutMs && sleep(timeoutMs).then(() => Promise.reject(new Error('no reply')));
    const reply = await (late ? Promise.race([sent, late]) : sent);
    if (!reply.ok) throw new Refused(reply.status, await reply.text());
    return reply.json();
  };

  /** Sends a request once; undefined, after a pause, when nobody knows whether it was done. @throws Refused */
  async function tried(call: Call): Promise<Json | undefined> {
    try {
      return await once(call);
    } catch (thrown) {
      if (!isUncertain(thrown)) throw thrown;
      await sleep(PAUSE_MS);
      return undefined;
    }
  }

  return {
    once,
    async read(path) {
      for (;;) {
        const reply = await tried({ method: 'GET', path, timeoutMs: READ_TIMEOUT_MS });
        if (reply !== undefined) return reply;
      }
    },
    async untilDone(call, find, { isInterrupted = false } = {}) {
      for (let waitedMs = 0; isInterrupted && waitedMs < ON_ITS_WAY_MS; waitedMs += LOOK_MS) {
        const found = await find();
        if (found !== undefined) return found;
        await sleep(LOOK_MS);
      }
      for (;;) {
        const done = (await tried(call)) ?? (await find());
        if (done !== undefined) return done;
      }
    },
  };
}
