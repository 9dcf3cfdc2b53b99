import { toTimestamp } from '../../../protocol/clock.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import type { Queries } from '../../platform/store/store.ts';
import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { RowOf } from '../../platform/store/stored-property.ts';
import { listDeliveries, type DeliveryRow } from '../../platform/outbox/delivery.records.ts';
import { EVENT, type DeliveryStatus, type Event } from './event.schema.ts';

export type EventRow = RowOf<typeof EVENT>;

/** Events as they were recorded: their rows never change. */
export const events = storedObjects({ table: 'events' }, EVENT);

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

/** Returns an event as the API shows it: as recorded, with the current state of its deliveries. */
export function toEvent(row: EventRow, deliveries: readonly DeliveryRow[]): Event {
  const recorded = parseJson(row.body);
  return {
    ...recorded,
    endpoints: deliveries.map((delivery) => ({
      webhookId: delivery.webhook_id,
      acknowledged: delivery.state === 'Acknowledged',
      attempts: delivery.attempts,
    })),
    lastUpdatedTimestamp: toTimestamp(Math.max(row.updated_ms, ...deliveries.map((each) => each.updated_ms))),
    deliveryStatus: statusOf(deliveries),
  };
}

function statusOf(deliveries: readonly DeliveryRow[]): DeliveryStatus {
  if (deliveries.length === 0) return 'None';
  if (deliveries.some(({ state }) => state === 'Pending')) return 'Pending';
  return deliveries.every(({ state }) => state === 'Acknowledged') ? 'Success' : 'Failed';
}
