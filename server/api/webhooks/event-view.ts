import { listDeliveries } from '../../platform/outbox/delivery.records.ts';
import type { Queries } from '../../platform/store/store.ts';
import { toEvent, type EventRow } from './event.records.ts';
import type { Event } from './event.schema.ts';

/** Returns events with their deliveries, as the API shows them. */
export async function withDeliveries(queries: Queries, rows: readonly EventRow[]): Promise<Event[]> {
  const deliveries = await listDeliveries(
    queries,
    rows.map(({ id }) => id),
  );
  return rows.map((row) =>
    toEvent(
      row,
      deliveries.filter((delivery) => delivery.event_id === row.id),
    ),
  );
}
