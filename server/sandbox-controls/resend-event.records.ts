import { accountScopeOf } from '../api/accounts/account.records.ts';
import { events, type EventRow } from '../api/webhooks/event.records.ts';
import type { Caller } from '../platform/http/auth.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { Queries } from '../platform/store/store.ts';

/**
 * Returns an event in the caller's scope.
 * @throws Refusal `not_found`.
 */
export async function findEventInScope(queries: Queries, caller: Caller, id: string): Promise<EventRow> {
  const row = await events.findWithin(queries, accountScopeOf(caller), id);
  if (!row) throw new Refusal('not_found', { what: 'event' });
  return row;
}
