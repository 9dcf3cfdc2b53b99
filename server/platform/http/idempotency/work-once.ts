import { Refusal } from '../refusals.ts';
import { KEPT_MS } from './kept-answers.ts';
import type { RequestDigests } from './keyed-request.ts';

interface Work<T> {
  /** Returns the stored result of an earlier attempt at the same request. */
  find(): Promise<T | undefined>;
  run(): Promise<T>;
}

/** Runs the work of a request, or returns its stored result where an earlier attempt has done it. */
type WorkOnce = <T>(request: RequestDigests, work: Work<T>) => Promise<T>;

/**
 * Returns a function for work outside the store of its answer, which a process that ends between the two has done
 * without an answer. It throws the refusal `idempotency_key_in_use` while this process works on the request, which may
 * take longer than the lease of its key.
 */
export function createWorkOnce(): WorkOnce {
  const inProgress = new Set<string>();

  return async ({ keyDigest }, { find, run }) => {
    if (inProgress.has(keyDigest)) throw new Refusal('idempotency_key_in_use');
    inProgress.add(keyDigest);
    try {
      return (await find()) ?? (await run());
    } catch (thrown) {
      // Another server can have done it meanwhile, so that this one could not.
      const found = await find();
      if (found === undefined) throw thrown;
      return found;
    } finally {
      inProgress.delete(keyDigest);
    }
  };
}

/** Whether a key that made something is still kept: later it may make another. @param createdMs real time */
export function isKeyKept(createdMs: number, nowMs: number): boolean {
  return nowMs < createdMs + KEPT_MS;
}
