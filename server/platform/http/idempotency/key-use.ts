import type { IncomingHttpHeaders } from 'node:http';
import { sandboxSettingsOf, type ServerSettings } from '../../settings.ts';
import { takesIdempotencyKey, type Route } from '../route.ts';

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
  const isUsed = route.surface !== 'v1' || sandboxSettingsOf(settings).idempotencyKeys === 'on';
  return isUsed ? 'used' : 'ignored';
}
