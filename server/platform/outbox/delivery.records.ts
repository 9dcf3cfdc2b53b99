import type { Queries, Row, Transaction } from '../store/store.ts';

/** What has become of one event at one endpoint. */
export type DeliveryState = 'Pending' | 'Acknowledged' | 'Failed';

export interface DeliveryRow extends Row {
  event_id: string;
  webhook_id: string;
  state: DeliveryState;
  attempts: number;
  /** How the last attempt ended, in words for a person: a status, or why there was none. */
  last_status: string | null;
}

/** A delivery with what an attempt of it needs. */
export interface AttemptRow extends Row {
  state: DeliveryState;
  attempts: number;
  event_type: string;
  body: string;
  url: string;
  secret: string;
  active: number;
}

export async function insertDelivery(tx: Transaction, eventId: string, webhookId: string): Promise<void> {
  await tx.run(
    `INSERT INTO deliveries (event_id, webhook_id, state) VALUES (?, ?, 'Pending')`,
    eventId,
    webhookId,
  );
}

/** The deliveries of some events, in the order of their endpoints. */
export async function listDeliveries(queries: Queries, eventIds: readonly string[]): Promise<DeliveryRow[]> {
  if (eventIds.length === 0) return [];
  const marks = eventIds.map(() => '?').join(', ');
  return queries.all<DeliveryRow>(
    `SELECT event_id, webhook_id, state, attempts, last_status FROM deliveries
     WHERE event_id IN (${marks}) ORDER BY seq`,
    ...eventIds,
  );
}

export function findAttempt(
  queries: Queries,
  eventId: string,
  webhookId: string,
): Promise<AttemptRow | undefined> {
  return queries.get<AttemptRow>(
    `SELECT d.state, d.attempts, e.event_type, e.body, w.url, w.secret, w.active
     FROM deliveries d JOIN events e ON e.id = d.event_id JOIN webhooks w ON w.id = d.webhook_id
     WHERE d.event_id = ? AND d.webhook_id = ?`,
    eventId,
    webhookId,
  );
}

/**
 * Writes how a delivery stands, if it still stands as it was read: an attempt whose job was lost to another
 * instance meanwhile is not counted twice. Answers whether it was written.
 */
export async function saveDelivery(
  tx: Transaction,
  delivery: { eventId: string; webhookId: string; attemptsBefore: number },
  now: { state: DeliveryState; attempts: number; lastStatus: string },
): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE deliveries SET state = ?, attempts = ?, last_status = ?
     WHERE event_id = ? AND webhook_id = ? AND state = 'Pending' AND attempts = ?`,
    now.state,
    now.attempts,
    now.lastStatus,
    delivery.eventId,
    delivery.webhookId,
    delivery.attemptsBefore,
  );
  return changes === 1;
}

/** Makes every delivery of an event one that is still to be done, and answers to which endpoints. */
export async function reopenDeliveries(tx: Transaction, eventId: string): Promise<string[]> {
  const rows = await tx.all<{ webhook_id: string }>(
    `UPDATE deliveries SET state = 'Pending' WHERE event_id = ? RETURNING webhook_id`,
    eventId,
  );
  return rows.map((row) => row.webhook_id);
}

/** Updates the time of the last change of an event, when one of its deliveries has changed. */
export async function touchEvent(tx: Transaction, id: string, nowMs: number): Promise<void> {
  await tx.run(`UPDATE events SET updated_ms = ? WHERE id = ?`, nowMs, id);
}
