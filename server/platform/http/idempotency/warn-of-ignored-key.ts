import type { RequestContext } from '../request-context.ts';
import { takesIdempotencyKey, type Route } from '../route.ts';

/**
 * Logs a warning for the first request of a sandbox whose idempotency key is ignored because of its settings: a client
 * that relies on the key does twice what it sends twice. The request log marks each of them.
 */
export function warnOfIgnoredKey(context: RequestContext, route: Route): void {
  if (context.ignoredKeySeen || !takesIdempotencyKey(route)) return;
  context.ignoredKeySeen = true;
  context.services.log.warn(
    { operation: route.operation },
    'a request has an Idempotency-Key, which is ignored: the specification has no such header, so a request that is sent twice is done twice (docs/idempotency.md). Further ones are marked in the request log',
  );
}
