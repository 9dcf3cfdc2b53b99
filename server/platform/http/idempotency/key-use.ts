import type { IncomingHttpHeaders } from 'node:http';
import { constantTimeEqual } from '../../constant-time-equal.ts';
import { sandboxSettingsOf } from '../../own-settings.schema.ts';
import { type ServerSettings } from '../../settings.ts';
import { takesIdempotencyKey, type Route } from '../route.ts';
import type { RequestContext } from '../request-context.ts';

/** The header as Node names it. */
export const KEY_HEADER = 'idempotency-key';

/** What becomes of the key of a request: `used` makes that it is done once, however often it is sent. */
type KeyUse = 'used' | 'ignored';

/**
 * Returns what becomes of the idempotency key of a request; undefined where it has none.
 * @param route undefined where none serves the request
 */
export function keyUseOf(
  route: Pick<Route, 'method' | 'bodyType' | 'surface'> | undefined,
  headers: IncomingHttpHeaders,
  settings: ServerSettings,
): KeyUse | undefined {
  if (headers[KEY_HEADER] === undefined) return undefined;
  if (!route || !takesIdempotencyKey(route)) return 'ignored';
  const isOn = route.surface !== 'v1' || sandboxSettingsOf(settings).idempotencyKeys === 'on';
  return isOn || isOfDashboard(headers, settings) ? 'used' : 'ignored';
}

/**
 * Returns whether a request is the dashboard's own. A browser sends a request again by itself when its connection is closed
 * before a response, so that its buttons need keys. The setting is about the requests of integrators.
 */
function isOfDashboard({ authorization }: IncomingHttpHeaders, { dashboardToken }: ServerSettings): boolean {
  return dashboardToken !== '' && constantTimeEqual(authorization ?? '', dashboardToken);
}

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
