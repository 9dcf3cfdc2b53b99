import type { Queries, Row, Transaction } from '../store/store.ts';
import { addLine } from './attempt-log.ts';

/** State of the delivery of an event to a webhook. */
export type DeliveryState = 'Pending' | 'Acknowledged' | 'Failed';

/** What names a delivery: the event and the endpoint that it is sent to. */
export interface DeliveryKey {
  eventId: string;
  webhookId: string;
}

export interface DeliveryRow extends Row {
  event_id: string;
  webhook_id: string;
  state: DeliveryState;
  attempts: number;
  /** Result of the last attempt as text: an HTTP status, or why there was none. */
  last_status: string | null;
  /** When its last attempt ended; 0 before the first. */
  updated_ms: number;
}

/** A delivery with what an attempt of it needs. */
export interface AttemptRow extends Row {
  event_id: string;
  webhook_id: string;
  state: DeliveryState;
  attempts: number;
  /** How many of the attempts the schedule did not ask for: made by hand, or because a fault repeats one. */
  sent_again: number;
  next_ms: number | null;
  /** Result of the last attempt; null before the first. */
  last_status: string | null;
  event_type: string;
  body: string;
  url: string;
  secret: string;
  active: number;
}

/** Writes new deliveries, in order, with one statement; none is fine. */
export function insertDeliveries(tx: Transaction, deliveries: readonly DeliveryKey[]): void {
  if (deliveries.length === 0) return;
  tx.send(
    `INSERT INTO deliveries (event_id, webhook_id, state)
     VALUES ${deliveries.map(() => `(?, ?, 'Pending')`).join(', ')}`,
    ...deliveries.flatMap(({ eventId, webhookId }) => [eventId, webhookId]),
  );
}

/** The deliveries of some events, in the order of their endpoints. */
export async function listDeliveries(queries: Queries, eventIds: readonly string[]): Promise<DeliveryRow[]> {
  if (eventIds.length === 0) return [];
  const marks = eventIds.map(() => '?').join(', ');
  return queries.all<DeliveryRow>(
    `SELECT event_id, webhook_id, state, attempts, last_status, updated_ms FROM deliveries
     WHERE event_id IN (${marks}) ORDER BY seq`,
    ...eventIds,
  );
}

/** Returns the delivery of each key; undefined for one that is deleted. */
export async function findAttempts(
  queries: Queries,
  keys: readonly DeliveryKey[],
): Promise<(AttemptRow | undefined)[]> {
  const one = `SELECT d.event_id, d.webhook_id, d.state, d.attempts, d.sent_again, d.next_ms, d.last_status,
       e.event_type, e.body, w.url, w.secret, w.active
     FROM deliveries d JOIN events e ON e.id = d.event_id JOIN webhooks w ON w.id = d.webhook_id
     WHERE d.event_id = ? AND d.webhook_id = ?`;
  // Each is found by its key: for conditions joined by OR, PostgreSQL reads all deliveries of an endpoint.
  const rows = await queries.all<AttemptRow>(
    keys.map(() => one).join(' UNION ALL '),
    ...keys.flatMap(({ eventId, webhookId }) => [eventId, webhookId]),
  );
  return keys.map(({ eventId, webhookId }) =>
    rows.find((row) => row.event_id === eventId && row.webhook_id === webhookId),
  );
}

/** The result of a delivery that a fault holds back until the next event to its endpoint. */
export const HELD = 'put off by a fault until after the next event';

/** Returns the deliveries that are held back, in the order of their events. */
export function listHeld(
  queries: Queries,
): Promise<{ event_id: string; webhook_id: string; next_ms: number }[]> {
  // As a literal, so that the index on it (0036-held-deliveries.ts) is used.
  return queries.all(
    `SELECT event_id, webhook_id, next_ms FROM deliveries
     WHERE last_status = '${HELD}' AND state = 'Pending' ORDER BY seq`,
  );
}

/** Returns the key of the job that delivers an event at an instant; undefined when there is none, or it is under way. */
export async function findJobKey(
  queries: Queries,
  { kind, dueMs, eventId }: { kind: string; dueMs: number; eventId: string },
): Promise<string | undefined> {
  const job = await queries.get<{ subject: string }>(
    `SELECT subject FROM jobs WHERE kind = ? AND due_ms = ? AND claimed_by IS NULL AND payload LIKE ?`,
    kind,
    dueMs,
    `%${eventId}%`,
  );
  return job?.subject;
}

/** Returns how many attempts of a delivery its schedule has made. */
export function scheduledAttempts({ attempts, sent_again: sentAgain }: AttemptRow): number {
  return attempts - sentAgain;
}

/** New state of a delivery after an attempt. */
export interface DeliveryUpdate {
  state: DeliveryState;
  /** How many times it was sent: once, unless it could not be or a fault says otherwise. */
  attempts: number;
  /** How many of them the schedule did not ask for. */
  sentAgain: number;
  lastStatus: string;
  /** Line for the log of the delivery. */
  line: string;
  endedMs: number;
  /** When it is tried again. */
  againMs?: number;
}

/**
 * Saves the outcome of an attempt, unless the schedule of the delivery has gone on since it was read: an attempt whose
 * job another instance took over meanwhile is not counted twice. Returns whether it was saved.
 */
export async function saveDelivery(
  tx: Transaction,
  delivery: DeliveryKey & { scheduledBefore: number },
  now: DeliveryUpdate,
): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE deliveries SET state = ?, attempts = attempts + ?, sent_again = sent_again + ?, last_status = ?,
       updated_ms = ?, next_ms = ?, ${addLine('?')}
     WHERE event_id = ? AND webhook_id = ? AND state = 'Pending' AND attempts - sent_again = ?`,
    now.state,
    now.attempts,
    now.sentAgain,
    now.lastStatus,
    now.endedMs,
    now.againMs ?? null,
    now.line,
    delivery.eventId,
    delivery.webhookId,
    delivery.scheduledBefore,
  );
  return changes === 1;
}

/** A delivery with the outcome of an attempt, and how many attempts its schedule had made before. */
interface EndedDelivery extends DeliveryKey {
  scheduledBefore: number;
  now: DeliveryUpdate;
}

const nameOf = ({ eventId, webhookId }: DeliveryKey) => `${eventId} ${webhookId}`;

/**
 * Saves the outcomes of attempts that are not tried again, as `saveDelivery` does, by one statement. Returns those saved.
 * PostgreSQL looks up, and locks, the deliveries one after the other: in the order of their keys, so that two servers that
 * end the same ones do not lock each other out.
 */
export async function saveEnded<E extends EndedDelivery>(tx: Transaction, ended: readonly E[]): Promise<E[]> {
  const inOrder = ended.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const row = `(?, ?, CAST(? AS INTEGER), ?, CAST(? AS INTEGER), CAST(? AS INTEGER), ?, CAST(? AS BIGINT), ?)`;
  const rows = await tx.all<{ event_id: string; webhook_id: string }>(
    `WITH ended (event, webhook, scheduled, outcome, sent, again, status, ended_ms, line) AS (
       VALUES ${inOrder.map(() => row).join(', ')})
     UPDATE deliveries SET state = outcome, attempts = attempts + sent, sent_again = sent_again + again,
       last_status = status, updated_ms = ended_ms, next_ms = NULL, ${addLine('line')}
     FROM ended WHERE event_id = event AND webhook_id = webhook AND state = 'Pending'
       AND attempts - sent_again = scheduled
     RETURNING event_id, webhook_id`,
    ...inOrder.flatMap(({ eventId, webhookId, scheduledBefore, now }) => [
      eventId,
      webhookId,
      scheduledBefore,
      now.state,
      now.attempts,
      now.sentAgain,
      now.lastStatus,
      now.endedMs,
      now.line,
    ]),
  );
  // Of two outcomes of one attempt, one is saved.
  const saved = new Set(rows.map((each) => `${each.event_id} ${each.webhook_id}`));
  return ended.filter((each) => saved.delete(nameOf(each)));
}

/** Makes a delivery due earlier than it is. Returns false when it is due by then, or has ended. */
export async function bringForward(
  tx: Transaction,
  { eventId, webhookId }: DeliveryKey,
  dueMs: number,
): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE deliveries SET next_ms = ?
     WHERE event_id = ? AND webhook_id = ? AND state = 'Pending' AND next_ms > ?`,
    dueMs,
    eventId,
    webhookId,
    dueMs,
  );
  return changes === 1;
}

/** Sets every delivery of an event to Pending, due now, and returns the ids of their webhooks. */
export async function reopenDeliveries(tx: Transaction, eventId: string, nowMs: number): Promise<string[]> {
  const rows = await tx.all<{ webhook_id: string }>(
    `UPDATE deliveries SET state = 'Pending', next_ms = ? WHERE event_id = ? RETURNING webhook_id`,
    nowMs,
    eventId,
  );
  return rows.map((row) => row.webhook_id);
}

/** Saves the outcome of an attempt that was made by hand, which leaves the schedule of a delivery as it is. */
export function saveSentAgain(
  tx: Transaction,
  delivery: DeliveryKey,
  now: { acknowledged: boolean; lastStatus: string; line: string; endedMs: number },
): Promise<{ attempts: number; next_ms: number | null } | undefined> {
  const change = now.acknowledged ? `state = 'Acknowledged', next_ms = NULL,` : '';
  return tx.get<{ attempts: number; next_ms: number | null }>(
    `UPDATE deliveries SET ${change} attempts = attempts + 1, sent_again = sent_again + 1, last_status = ?,
       updated_ms = ?, ${addLine('?')}
     WHERE event_id = ? AND webhook_id = ? RETURNING attempts, next_ms`,
    now.lastStatus,
    now.endedMs,
    now.line,
    delivery.eventId,
    delivery.webhookId,
  );
}
