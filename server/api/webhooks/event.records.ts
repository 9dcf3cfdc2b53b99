import { toTimestamp } from '../../../protocol/clock.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { DeliveryRow } from '../../platform/outbox/delivery.records.ts';
import type { EventType } from './event-types.ts';
import type { DeliveryStatus, Event } from './event.schema.ts';

export interface EventRow extends Row {
  id: string;
  account_id: string;
  event_type: EventType;
  /** The object that it is about. */
  object_id: string;
  /** The text that is delivered, exactly. */
  body: JsonText<Event & { data: { id: string } }>;
  created_ms: number;
  /** When it was recorded; a delivery has a time of its own. */
  updated_ms: number;
}

interface NewEvent {
  id: string;
  accountId: string;
  type: EventType;
  objectId: string;
  body: string;
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

export const EVENT_LIST = (accountId: string): PageSource => ({
  table: 'events',
  owned: { where: 'account_id = ?', parameters: [accountId] },
});

export function findEvent(queries: Queries, accountId: string, id: string): Promise<EventRow | undefined> {
  return queries.get<EventRow>(`SELECT * FROM events WHERE id = ? AND account_id = ?`, id, accountId);
}

/** Writes events, in order, with one statement. */
export async function insertEvents(
  tx: Transaction,
  events: readonly NewEvent[],
  nowMs: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO events (id, account_id, event_type, object_id, body, created_ms, updated_ms)
     VALUES ${events.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
    ...events.flatMap(({ id, accountId, type, objectId, body }) => [
      id,
      accountId,
      type,
      objectId,
      body,
      nowMs,
      nowMs,
    ]),
  );
}
