import type { HuntScene } from '../../kit/hunt/hunt.ts';

// oxlint-disable-next-line no-explicit-any -- replies of the API
type Json = any;

/** A reply that is no success. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`${status}: ${text}`);
    this.status = status;
  }
}

const TIMEOUT_MS = 10_000;
const PAUSE_MS = 1_000;

/** How a till calls the payment provider. */
export interface Provider {
  /** Sends a request once. @throws Refused, or Error when there is no reply within ten seconds */
  once(method: string, path: string, body?: object, key?: string): Promise<Json>;
  /** Sends a request until there is a reply. Only for requests that may be done twice, or have a key. */
  surely(method: string, path: string, body?: object, key?: string): Promise<Json>;
}

export function openProvider({
  fetch,
  sleep,
  world,
}: Pick<HuntScene, 'fetch' | 'sleep' | 'world'>): Provider {
  const once: Provider['once'] = async (method, path, body, key) => {
    const headers = {
      authorization: world.secretKey,
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const sent = fetch(`${world.url}/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const late = sleep(TIMEOUT_MS).then(() => Promise.reject(new Error('no reply')));
    const reply = await Promise.race([sent, late]);
    if (!reply.ok) throw new Refused(reply.status, await reply.text());
    return reply.json();
  };
  return {
    once,
    async surely(...call) {
      for (;;) {
        try {
          return await once(...call);
        } catch (thrown) {
          if (
            thrown instanceof Refused &&
            thrown.status !== 409 &&
            thrown.status !== 429 &&
            thrown.status < 500
          )
            throw thrown;
          await sleep(PAUSE_MS);
        }
      }
    },
  };
}
