import { reachOf } from '../accounts/reach.ts';
import type { EventRow } from '../events/event.records.ts';
import type { Caller } from '../http/auth.ts';
import { Refusal } from '../http/refusals.ts';
import type { Queries, Transaction } from '../store/store.ts';

/** @throws Refusal `not_found` when the caller controls no account with this event. */
export async function findControlledEvent(queries: Queries, caller: Caller, id: string): Promise<EventRow> {
  const reach = reachOf(caller);
  const row = await queries.get<EventRow>(
    `SELECT * FROM events WHERE id = ? AND ${reach.where}`,
    id,
    ...reach.parameters,
  );
  if (!row) throw new Refusal('not_found', { what: 'event' });
  return row;
}

/** Makes every delivery of an event one that is still to be done, and answers to which endpoints. */
export async function reopenDeliveries(tx: Transaction, eventId: string): Promise<string[]> {
  const rows = await tx.all<{ webhook_id: string }>(
    `UPDATE deliveries SET state = 'Pending' WHERE event_id = ? RETURNING webhook_id`,
    eventId,
  );
  return rows.map((row) => row.webhook_id);
}
