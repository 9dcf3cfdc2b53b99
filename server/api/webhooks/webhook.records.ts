import { toTimestamp } from '../../../protocol/clock.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { EventType } from './event-types.ts';
import type { Webhook, WebhookCreated } from './webhook.schema.ts';

export interface WebhookRow extends Row {
  id: string;
  account_id: string;
  url: string;
  active: number;
  event_types: JsonText<EventType[]>;
  secret: string;
  created_ms: number;
  updated_ms: number;
}

interface NewWebhook {
  id: string;
  platformId: string;
  url: string;
  active: boolean;
  eventTypes: EventType[];
  secret: string;
}

type WebhookChange = {
  [Member in 'url' | 'active' | 'eventTypes']?: NewWebhook[Member] | undefined;
};

function commonFields(row: WebhookRow) {
  return {
    id: row.id,
    url: row.url,
    active: row.active === 1,
    eventTypes: parseJson(row.event_types),
    createdTimestamp: toTimestamp(row.created_ms),
  };
}

/** Returns a webhook as the API shows it, without its secret. */
export function toWebhook(row: WebhookRow): Webhook {
  return { ...commonFields(row), lastUpdatedTimestamp: toTimestamp(row.updated_ms) };
}

/** Returns a new webhook with its secret, which only the response to its creation contains. */
export function toCreatedWebhook(row: WebhookRow): WebhookCreated {
  return { ...commonFields(row), secret: row.secret };
}

export function findWebhook(
  queries: Queries,
  platformId: string,
  id: string,
): Promise<WebhookRow | undefined> {
  return queries.get<WebhookRow>(
    `SELECT * FROM webhooks WHERE id = ? AND account_id = ? AND deleted = 0`,
    id,
    platformId,
  );
}

/** Returns the webhooks of a platform, newest first. */
export function listWebhooks(queries: Queries, platformId: string): Promise<WebhookRow[]> {
  return queries.all<WebhookRow>(
    `SELECT * FROM webhooks WHERE account_id = ? AND deleted = 0 ORDER BY seq DESC`,
    platformId,
  );
}

/** The webhook of a row of a query with `JOINED_WEBHOOK` and `joinActiveWebhooks`; null when there is none. */
export interface JoinedWebhook extends Row {
  webhook_id: string | null;
  webhook_event_types: JsonText<EventType[]> | null;
}

/** The columns of `JoinedWebhook`, for a query of another area. */
export const JOINED_WEBHOOK = 'webhook.id AS webhook_id, webhook.event_types AS webhook_event_types';

/** Returns SQL that joins the active webhooks of a platform. `webhook.seq` orders them, oldest first. */
export function joinActiveWebhooks(platformId: string): string {
  return `LEFT JOIN webhooks AS webhook ON webhook.account_id = ${platformId}
    AND webhook.deleted = 0 AND webhook.active = 1`;
}

/** Returns the webhooks of joined rows. */
export function joinedWebhooksOf(
  rows: readonly JoinedWebhook[],
): { webhookId: string; eventTypes: EventType[] }[] {
  return rows.flatMap(({ webhook_id: webhookId, webhook_event_types: types }) =>
    webhookId === null || types === null ? [] : [{ webhookId, eventTypes: parseJson(types) }],
  );
}

export async function countWebhooks(queries: Queries, platformId: string): Promise<number> {
  const row = await queries.get<{ webhooks: number }>(
    `SELECT COUNT(*) AS webhooks FROM webhooks WHERE account_id = ? AND deleted = 0`,
    platformId,
  );
  return row?.webhooks ?? 0;
}

export async function insertWebhook(
  tx: Transaction,
  webhook: NewWebhook,
  nowMs: number,
): Promise<WebhookRow> {
  const row = await tx.get<WebhookRow>(
    `INSERT INTO webhooks (id, account_id, url, active, event_types, secret, created_ms, updated_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
    webhook.id,
    webhook.platformId,
    webhook.url,
    webhook.active ? 1 : 0,
    JSON.stringify(webhook.eventTypes),
    webhook.secret,
    nowMs,
    nowMs,
  );
  return row!;
}

/** Updates a webhook; returns undefined when it was already deleted. */
export function updateWebhook(
  tx: Transaction,
  id: string,
  { url, active, eventTypes }: WebhookChange,
  nowMs: number,
): Promise<WebhookRow | undefined> {
  return tx.get<WebhookRow>(
    `UPDATE webhooks SET url = COALESCE(?, url), active = COALESCE(?, active),
       event_types = COALESCE(?, event_types), updated_ms = ?
     WHERE id = ? AND deleted = 0 RETURNING *`,
    url ?? null,
    active === undefined ? null : Number(active),
    eventTypes ? JSON.stringify(eventTypes) : null,
    nowMs,
    id,
  );
}

/** Makes all webhooks inactive. */
export async function deactivateWebhooks(tx: Transaction, nowMs: number): Promise<void> {
  await tx.run(`UPDATE webhooks SET active = 0, updated_ms = ? WHERE deleted = 0 AND active = 1`, nowMs);
}

/**
 * Marks a webhook as deleted and erases its secret; events still refer to the row. Returns false when it was already
 * deleted.
 */
export async function deleteWebhook(tx: Transaction, id: string, nowMs: number): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE webhooks SET deleted = 1, active = 0, secret = '', updated_ms = ? WHERE id = ? AND deleted = 0`,
    nowMs,
    id,
  );
  return changes === 1;
}
