import type { DeliveryState } from '../platform/outbox/delivery.records.ts';
import type { JsonText } from '../platform/store/json-text.ts';
import type { Queries, Row } from '../platform/store/store.ts';

/** A delivery with its event and endpoint. */
interface RecentDelivery extends Row {
  event_id: string;
  event_type: string;
  body: JsonText<{ data: { id: string } }>;
  url: string;
  state: DeliveryState;
  attempts: number;
  last_status: string | null;
  created_ms: number;
}

/** The latest deliveries of all accounts, newest first. */
export function listRecentDeliveries(queries: Queries, most: number): Promise<RecentDelivery[]> {
  return queries.all<RecentDelivery>(
    `SELECT delivery.event_id, event.event_type, event.body, webhook.url, delivery.state, delivery.attempts,
       delivery.last_status, event.created_ms
     FROM deliveries AS delivery JOIN events AS event ON event.id = delivery.event_id
       JOIN webhooks AS webhook ON webhook.id = delivery.webhook_id
     ORDER BY delivery.seq DESC LIMIT ?`,
    most,
  );
}
