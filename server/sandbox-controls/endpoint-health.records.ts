import { toTimestamp } from '../../protocol/clock.ts';
import { withoutQuery } from '../platform/outbox/delivery.ts';
import type { WebhookEndpoint } from '../platform/outbox/delivery.schema.ts';
import { parseJson, type JsonText } from '../platform/store/json-text.ts';
import type { Queries, Row } from '../platform/store/store.ts';
import { dueTimestamp } from './delivery-list.records.ts';

// So that the health of an endpoint is read in a millisecond, however much it was sent.
const LATEST = 1_000;

interface EndpointRow extends Row {
  id: string;
  url: string;
  active: number;
  event_types: JsonText<string[]>;
  created_ms: number;
}

interface HealthRow extends Row {
  deliveries: number;
  delivered: number | null;
  failed: number | null;
  waiting: number | null;
  success_ms: number | null;
  failure_ms: number | null;
  next_ms: number | null;
}

const LATEST_DELIVERIES = `(SELECT state, attempts, last_status, updated_ms, next_ms FROM deliveries
  WHERE webhook_id = ? ORDER BY seq DESC LIMIT ${LATEST}) AS latest`;
// An inactive endpoint has deliveries that failed without an attempt.
const HAS_FAILED = `state <> 'Acknowledged' AND attempts > 0`;

/** Returns the endpoints of all accounts with their health, newest first. */
export async function listEndpoints(queries: Queries): Promise<WebhookEndpoint[]> {
  const rows = await queries.all<EndpointRow>(
    `SELECT id, url, active, event_types, created_ms FROM webhooks WHERE deleted = 0 ORDER BY seq DESC`,
  );
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      url: withoutQuery(row.url),
      active: row.active === 1,
      eventTypes: parseJson(row.event_types),
      createdTimestamp: toTimestamp(row.created_ms),
      health: await healthOf(queries, row.id),
    })),
  );
}

async function healthOf(queries: Queries, webhookId: string): Promise<WebhookEndpoint['health']> {
  const row = await queries.get<HealthRow>(
    `SELECT COUNT(*) AS deliveries,
       SUM(CASE WHEN state = 'Acknowledged' THEN 1 ELSE 0 END) AS delivered,
       SUM(CASE WHEN state = 'Failed' THEN 1 ELSE 0 END) AS failed,
       SUM(CASE WHEN state = 'Pending' THEN 1 ELSE 0 END) AS waiting,
       MAX(CASE WHEN state = 'Acknowledged' THEN updated_ms END) AS success_ms,
       MAX(CASE WHEN ${HAS_FAILED} THEN updated_ms END) AS failure_ms,
       MIN(CASE WHEN state = 'Pending' THEN next_ms END) AS next_ms
     FROM ${LATEST_DELIVERIES}`,
    webhookId,
  );
  const { success_ms: successMs, failure_ms: failureMs, next_ms: nextMs } = row!;
  return {
    deliveries: row!.deliveries,
    delivered: row!.delivered ?? 0,
    failed: row!.failed ?? 0,
    waiting: row!.waiting ?? 0,
    failuresInRow: await countFailuresAfter(queries, webhookId, successMs ?? -1),
    lastSuccessTimestamp: successMs === null ? null : toTimestamp(successMs),
    lastFailureTimestamp: failureMs === null ? null : toTimestamp(failureMs),
    lastFailure: failureMs === null ? null : await lastFailureOf(queries, webhookId),
    nextAttemptTimestamp: nextMs === null ? null : dueTimestamp(nextMs),
  };
}

async function countFailuresAfter(queries: Queries, webhookId: string, afterMs: number): Promise<number> {
  const row = await queries.get<{ failures: number }>(
    `SELECT COUNT(*) AS failures FROM ${LATEST_DELIVERIES} WHERE ${HAS_FAILED} AND updated_ms > ?`,
    webhookId,
    afterMs,
  );
  return row!.failures;
}

async function lastFailureOf(queries: Queries, webhookId: string): Promise<string | null> {
  const row = await queries.get<{ last_status: string | null }>(
    `SELECT last_status FROM ${LATEST_DELIVERIES} WHERE ${HAS_FAILED} ORDER BY updated_ms DESC LIMIT 1`,
    webhookId,
  );
  return row?.last_status ?? null;
}
