import { toTimestamp } from '../../protocol/clock.ts';
import { idPattern } from '../../protocol/ids.ts';
import { BATCH_ROWS, type PageSource, contains, pattern } from '../platform/store/page-source.ts';
import { attemptsInLog } from '../platform/outbox/attempt-log.ts';
import { withoutQuery } from '../platform/outbox/delivery.ts';
import type { DeliveryState } from '../platform/outbox/delivery.records.ts';
import type {
  Delivery,
  DeliveryAttempt,
  DeliveryQuery,
  DeliverySummary,
} from '../platform/outbox/delivery.schema.ts';
import { SIGNATURE_HEADER, signatureOf } from '../platform/outbox/signature.ts';
import { objectIdsIn } from '../platform/request-log/masked-request.ts';
import { parseJson, type JsonText } from '../platform/store/json-text.ts';
import type { Queries, Row, SqlValue } from '../platform/store/store.ts';

/** A delivery with its event and its endpoint. */
interface DeliveryListRow extends Row {
  id: string;
  event_id: string;
  webhook_id: string;
  state: DeliveryState;
  attempts: number;
  last_status: string | null;
  updated_ms: number;
  next_ms: number | null;
  event_type: string;
  account_id: string;
  body: JsonText<{ data: { id: string } }>;
  created_ms: number;
  url: string;
}
export interface DeliveryRow extends DeliveryListRow {
  attempt_log: string;
  active: number;
  deleted: number;
  secret: string;
}

const JOINED = `(SELECT delivery.seq, delivery.event_id, delivery.webhook_id, delivery.state, delivery.attempts,
    delivery.last_status, delivery.updated_ms, delivery.next_ms, delivery.attempt_log, event.event_type, event.account_id,
    event.body, event.created_ms, webhook.url, webhook.active, webhook.deleted, webhook.secret
  FROM deliveries AS delivery JOIN events AS event ON event.id = delivery.event_id
    JOIN webhooks AS webhook ON webhook.id = delivery.webhook_id) AS delivery`;
const ID = `event_id || '.' || webhook_id AS id`;

/** Columns that a list shows. */
export const LISTED_DELIVERY = `${ID}, event_id, webhook_id, state, attempts, last_status, updated_ms, next_ms, event_type,
  account_id, body, created_ms, url`;

/** The deliveries that fit a query. */
export function deliveryList(query: DeliveryQuery): PageSource {
  const { status, reply, event, object, endpoint, text } = query;
  const conditions: [string, ...SqlValue[]][] = [
    ...(status === undefined ? [] : [STATUS_CONDITIONS[status]]),
    ...(reply === undefined ? [] : [replyCondition(reply)]),
  ];
  if (event !== undefined)
    conditions.push(
      EVENT_ID.test(event) ? [`event_id = ?`, event] : [contains('event_type'), pattern(event)],
    );
  if (object !== undefined) conditions.push([contains('body'), pattern(`"${object}"`)]);
  if (endpoint !== undefined)
    conditions.push(
      ENDPOINT_ID.test(endpoint) ? [`webhook_id = ?`, endpoint] : [contains('url'), pattern(endpoint)],
    );
  if (text !== undefined)
    conditions.push([
      `(${contains('body')} OR ${contains('attempt_log')})`,
      pattern(text),
      pattern(textInLog(text)),
    ]);
  const isIndexed =
    (event !== undefined && EVENT_ID.test(event)) || (endpoint !== undefined && ENDPOINT_ID.test(endpoint));
  return {
    table: JOINED,
    ...(conditions.length > 0 && !isIndexed && { batches: { of: 'deliveries', rows: BATCH_ROWS } }),
    owned: { where: '1 = 1', parameters: [] },
    rowOf: deliveryRowOf,
    shown: {
      where: ['1 = 1', ...conditions.map(([where]) => where)].join(' AND '),
      parameters: conditions.flatMap(([, ...values]) => values),
    },
  };
}

const EVENT_ID = new RegExp(idPattern('event'));
const ENDPOINT_ID = new RegExp(idPattern('webhook'));

const STATUS_CONDITIONS: Record<DeliverySummary['status'], [string]> = {
  Pending: [`state = 'Pending' AND attempts = 0`],
  Retrying: [`state = 'Pending' AND attempts > 0`],
  Delivered: [`state = 'Acknowledged'`],
  Failed: [`state = 'Failed'`],
};

function replyCondition(reply: string): [string, ...SqlValue[]] {
  if (reply === 'none') return [`attempts > 0 AND LENGTH(last_status) > 3`];
  return [`last_status LIKE ?`, reply.replaceAll('x', '_')];
}

/** The replies of the log are texts inside JSON, whose quotes are escaped. */
function textInLog(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function deliveryRowOf(id: string): { where: string; parameters: SqlValue[] } {
  const [eventId = '', webhookId = ''] = id.split('.');
  return { where: 'event_id = ? AND webhook_id = ?', parameters: [eventId, webhookId] };
}

export function findDelivery(queries: Queries, id: string): Promise<DeliveryRow | undefined> {
  const { where, parameters } = deliveryRowOf(id);
  return queries.get<DeliveryRow>(`SELECT *, ${ID} FROM ${JOINED} WHERE ${where}`, ...parameters);
}

export function toDeliverySummary(row: DeliveryListRow): DeliverySummary {
  const { attempts, next_ms: nextMs } = row;
  return {
    id: row.id,
    eventId: row.event_id,
    eventType: row.event_type,
    objectId: parseJson(row.body).data.id,
    accountId: row.account_id,
    webhookId: row.webhook_id,
    url: withoutQuery(row.url),
    status: statusOf(row),
    attempts,
    lastResult: row.last_status,
    createdTimestamp: toTimestamp(row.created_ms),
    lastAttemptTimestamp: attempts === 0 ? null : toTimestamp(row.updated_ms),
    nextAttemptTimestamp: nextMs === null || row.state !== 'Pending' ? null : dueTimestamp(nextMs),
  };
}

/** Returns the second by which what is due at an instant is due. */
export function dueTimestamp(dueMs: number): number {
  return Math.ceil(dueMs / 1000);
}

function statusOf({ state, attempts }: DeliveryListRow): DeliverySummary['status'] {
  if (state === 'Pending') return attempts === 0 ? 'Pending' : 'Retrying';
  return state === 'Acknowledged' ? 'Delivered' : 'Failed';
}

export function toDelivery(row: DeliveryRow, request: Delivery['request']): Delivery {
  const attemptLog = attemptsInLog(row.attempt_log, row.attempts).map(
    ({ atMs, realMs, ...attempt }): DeliveryAttempt => ({
      ...attempt,
      createdTimestamp: toTimestamp(atMs),
      sentTimestamp: toTimestamp(realMs),
    }),
  );
  const logged = attemptLog.at(-1)?.headers as Record<string, string> | undefined;
  return {
    ...toDeliverySummary(row),
    endpoint: { active: row.active === 1, deleted: row.deleted === 1 },
    body: row.body,
    signature: {
      header: SIGNATURE_HEADER,
      algorithm: 'HMAC-SHA256',
      // A deleted endpoint has no secret any more.
      value: row.secret === '' ? (logged?.[SIGNATURE_HEADER] ?? null) : signatureOf(row.secret, row.body),
    },
    attemptLog,
    objectIds: objectIdsIn([row.body]).filter((id) => id !== row.event_id && !id.startsWith('wh_')),
    request,
  };
}
