import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { RowOf } from '../../platform/store/stored-property.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { EventType } from './event-types.ts';
import { WEBHOOK, type WebhookCreated } from './webhook.schema.ts';

export type WebhookRow = RowOf<typeof WEBHOOK>;

/** A webhook that is deleted keeps its row, which its events refer to, without its secret. */
export const webhooks = storedObjects(
  { table: 'webhooks', deletable: { erased: { active: 0, secret: '' } } },
  WEBHOOK,
);

/** Returns a new webhook with its secret, which only the response to its creation contains. */
export function toCreatedWebhook(row: WebhookRow): WebhookCreated {
  const { lastUpdatedTimestamp: _, ...webhook } = webhooks.show(row);
  return { ...webhook, secret: row.secret };
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

/** Makes all webhooks inactive. */
export async function deactivateWebhooks(tx: Transaction, nowMs: number): Promise<void> {
  await tx.run(`UPDATE webhooks SET active = 0, updated_ms = ? WHERE deleted = 0 AND active = 1`, nowMs);
}
