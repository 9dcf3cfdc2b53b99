import { isDeepStrictEqual } from 'node:util';
import { Fault } from '../../protocol/failures.ts';

/** A request of an agent, as far as a repetition of it has to be the same. */
interface KeyedCall {
  path: string;
  body: unknown;
  account: string | undefined;
}

interface Reply {
  status: number;
  body: unknown;
}

/** Sends a request once for a key, and returns its first reply again. */
export type CallOnce = (key: string, call: KeyedCall, send: () => Promise<Reply>) => Promise<Reply>;

// An agent repeats what it did last.
const KEPT_MAX = 1_000;

/**
 * Creates a `CallOnce` that remembers replies while the command runs: the API under /v1 ignores idempotency keys unless
 * IDEMPOTENCY_KEYS is on. A refusal because of the rate or a fault of the server is not kept.
 * @throws Fault (from a call) `bad_setting` for a key of another request, and for a request that got no reply and may be done
 */
export function createCallOnce(): CallOnce {
  const kept = new Map<string, { call: KeyedCall; reply: Promise<Reply> | undefined }>();

  return async (key, call, send) => {
    const known = kept.get(key);
    if (known) {
      if (!isDeepStrictEqual(known.call, call))
        throw new Fault('bad_setting', 'idempotencyKey was used for another call: use a new one');
      if (known.reply) return known.reply;
      throw new Fault(
        'bad_setting',
        'the first call with this idempotencyKey got no reply and may have been done: look for its work, with list_requests or list_objects, and use a new key only where it is not there',
      );
    }
    if (kept.size >= KEPT_MAX) kept.delete(kept.keys().next().value!);
    const reply = send();
    kept.set(key, { call, reply });
    try {
      const { status } = await reply;
      // It was not done, and may be sent again.
      if (status === 401 || status === 403 || status === 429) kept.delete(key);
      else if (status >= 500) kept.set(key, { call, reply: undefined });
    } catch (thrown) {
      kept.set(key, { call, reply: undefined });
      throw thrown;
    }
    return reply;
  };
}
