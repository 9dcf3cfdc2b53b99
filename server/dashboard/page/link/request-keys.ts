import type { ApiResult } from './api-result.ts';

/** Sends a request with its idempotency key. @param request identifies it */
type WithKey = <T>(
  request: string,
  send: (idempotencyKey: string) => Promise<ApiResult<T>>,
) => Promise<ApiResult<T>>;

/**
 * Returns what chooses the idempotency keys of requests: a new one for each, but that of the request before when that was the
 * same, got no response and so may have taken effect.
 */
export function createRequestKeys(randomKey: () => string): WithKey {
  let unanswered: { request: string; key: string } | undefined;

  return async (request, send) => {
    const key = unanswered?.request === request ? unanswered.key : randomKey();
    const answer = await send(key);
    unanswered = !answer.ok && answer.status === 0 ? { request, key } : undefined;
    return answer;
  };
}
