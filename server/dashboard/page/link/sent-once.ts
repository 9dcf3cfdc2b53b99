import { useRef } from 'preact/hooks';
import type { ApiResult } from './api.ts';

/** Sends a request with its idempotency key. @param request identifies it */
type WithKey = <T>(
  request: string,
  send: (idempotencyKey: string) => Promise<ApiResult<T>>,
) => Promise<ApiResult<T>>;

/**
 * Returns what chooses the idempotency keys of requests: a new one for each, but that of the request before when that was the
 * same, got no response and so may have taken effect.
 */
export function createRequestKeys(newKey: () => string): WithKey {
  let unanswered: { request: string; key: string } | undefined;

  return async (request, send) => {
    const key = unanswered?.request === request ? unanswered.key : newKey();
    const answer = await send(key);
    unanswered = !answer.ok && answer.status === 0 ? { request, key } : undefined;
    return answer;
  };
}

/** Returns an idempotency key of 32 random hexadecimal digits. Works on a page without TLS, unlike `randomUUID`. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Returns a function that runs work, unless what it ran before is still under way; then it resolves with undefined. A second
 * click can come before its button is disabled, and a button that is disabled loses the keyboard focus.
 */
export function useOneAtATime(): <T>(work: () => Promise<T>) => Promise<T | undefined> {
  const inProgress = useRef(false);
  return async (work) => {
    if (inProgress.current) return undefined;
    inProgress.current = true;
    try {
      return await work();
    } finally {
      inProgress.current = false;
    }
  };
}
