import { toTimestamp } from '../../protocol/clock.ts';
import { firstIdOf } from '../../protocol/ids.ts';
import { operationIdOf } from '../platform/http/openapi/openapi.ts';
import { BATCH_ROWS, type PageSource, contains, pattern } from '../platform/store/page-source.ts';
import { REFUSALS, type RefusalName } from '../platform/http/refusals.ts';
import type { RequestRow } from '../platform/request-log/request.records.ts';
import { parseJson, type JsonText } from '../platform/store/json-text.ts';
import type { Queries, Row, SqlValue } from '../platform/store/store.ts';
import type { RequestQuery, RequestSummary, StoredRequest } from '../platform/request-log/request.schema.ts';

/** Columns that a list shows. */
export const LISTED_COLUMNS =
  'id, received_ms, created_ms, elapsed_us, method, path, status, key_end, account_id, request_id, operation, refusal, idempotency_key, object_ids';
type ListedRow = Pick<
  RequestRow,
  | 'id'
  | 'received_ms'
  | 'created_ms'
  | 'elapsed_us'
  | 'method'
  | 'path'
  | 'status'
  | 'key_end'
  | 'account_id'
  | 'request_id'
  | 'operation'
  | 'refusal'
  | 'idempotency_key'
  | 'object_ids'
>;

/** The requests that fit a query and have not expired. */
export function requestList(
  query: RequestQuery,
  expiredBeforeMs: number,
): PageSource & Pick<Required<PageSource>, 'shown'> {
  const conditions: [string, ...SqlValue[]][] = [];
  const { status, method, path, object, historyOf, account, idempotencyKey, text } = query;
  if (status === 'none') conditions.push(['status IS NULL']);
  else if (status?.endsWith('xx')) {
    const lowest = Number(status[0]) * 100;
    conditions.push(['status >= ? AND status < ?', lowest, lowest + 100]);
  } else if (status !== undefined) conditions.push(['status = ?', Number(status)]);
  if (method !== undefined) conditions.push(['method = ?', method]);
  // As the index of ignored keys has it.
  if (idempotencyKey !== undefined) conditions.push([`idempotency_key = '${idempotencyKey}'`]);
  if (account !== undefined) conditions.push(['account_id = ?', account]);
  if (path !== undefined) conditions.push([contains('path'), pattern(path)]);
  for (const id of [object, historyOf])
    if (id !== undefined) conditions.push([contains('object_ids'), pattern(` ${id} `)]);
  // The history itself is read from /sandbox.
  if (historyOf !== undefined) conditions.push([`NOT (method = 'GET' AND path LIKE '/sandbox/%')`]);
  if (text !== undefined) {
    const columns = ['path', 'query', 'body', 'answer', 'request_id', 'id'];
    conditions.push([`(${columns.map(contains).join(' OR ')})`, ...columns.map(() => pattern(text))]);
  }
  return {
    table: 'requests',
    ...(conditions.length > 0 && { batches: { of: 'requests', rows: BATCH_ROWS } }),
    owned: { where: 'received_ms >= ?', parameters: [expiredBeforeMs] },
    shown: {
      where: ['1 = 1', ...conditions.map(([where]) => where)].join(' AND '),
      parameters: conditions.flatMap(([, ...values]) => values),
    },
  };
}

export function findRequest(queries: Queries, id: string): Promise<RequestRow | undefined> {
  return queries.get<RequestRow>('SELECT * FROM requests WHERE id = ?', id);
}

export function toRequestSummary(row: ListedRow): RequestSummary {
  return {
    id: row.id,
    method: row.method,
    path: row.path,
    status: row.status,
    createdTimestamp: toTimestamp(row.created_ms),
    receivedTimestamp: toTimestamp(row.received_ms),
    elapsedMs: row.elapsed_us / 1000,
    keyLastFour: row.key_end,
    accountId: row.account_id,
    requestId: row.request_id,
    operation: row.operation,
    refusal: row.refusal,
    idempotencyKey: row.idempotency_key,
    objectIds: idsOf(row),
  };
}

export function toStoredRequest(row: RequestRow, events: StoredRequest['events']): StoredRequest {
  const { refusal, operation, tag } = row;
  return {
    ...toRequestSummary(row),
    query: valueOf(row.query) ?? {},
    headers: parseJson(row.headers),
    body: valueOf(row.body),
    replyHeaders: parseJson(row.answer_headers),
    reply: valueOf(row.answer),
    section: refusal === null ? null : (REFUSALS[refusal as RefusalName]?.section ?? null),
    reference:
      operation === null ? null : `/docs#/${encodeURIComponent(tag!)}/${operationIdOf({ operation })}`,
    events,
  };
}

function valueOf<T>(text: JsonText<T> | null): T | null {
  return text === null ? null : parseJson(text);
}

function idsOf({ object_ids: ids }: Pick<RequestRow, 'object_ids'>): string[] {
  return ids.split(' ').filter(Boolean);
}

interface EventOfRequest extends Row {
  id: string;
  event_type: string;
  body: JsonText<{ data: { id: string } }>;
}

const EVENTS_MAX = 200;

/** Returns the events of a request's objects that were recorded while it ran. */
export async function eventsOfRequest(queries: Queries, row: RequestRow): Promise<StoredRequest['events']> {
  const endMs = row.created_ms + Math.ceil(row.elapsed_us / 1000) + 1;
  const rows = await queries.all<EventOfRequest>(
    'SELECT id, event_type, body FROM events WHERE id >= ? AND id < ? ORDER BY id LIMIT ?',
    firstIdOf('event', row.created_ms),
    firstIdOf('event', endMs),
    EVENTS_MAX,
  );
  const objects = new Set(idsOf(row));
  return rows
    .map(({ id, event_type: eventType, body }) => ({ id, eventType, objectId: parseJson(body).data.id }))
    .filter(({ objectId }) => objects.has(objectId));
}
