import { toTimestamp } from '../../../protocol/clock.ts';
import type { Services } from '../../platform/services.ts';
import type { RequestRow } from '../../platform/request-log/request.records.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import { pattern } from '../../platform/store/text-search.ts';
import type { Queries, Row, SqlValue } from '../../platform/store/store.ts';
import type { EventsAbout, ObjectRow, ObjectType } from './object-type.ts';
import type { ObjectDetail } from './object.schema.ts';

const HISTORY_MAX = 100;

type History = ObjectDetail['history'];

/** An event about an object, with the object as it was. */
export interface StoredEvent extends Row {
  id: string;
  event_type: string;
  body: JsonText<{ data: object }>;
  created_ms: number;
}

/** Returns the latest events about an object, newest first. */
export async function eventsOf(queries: Queries, type: ObjectType, row: ObjectRow): Promise<StoredEvent[]> {
  const about: EventsAbout = type.eventsOf?.(row) ?? { objectId: row.id };
  const { objectId, types, atMs, partId } = about;
  if (types?.length === 0) return [];
  const conditions = ['object_id = ?'];
  const parameters: SqlValue[] = [objectId];
  for (const [column, values] of [
    ['event_type', types],
    ['created_ms', atMs],
  ] as const) {
    if (values === undefined) continue;
    conditions.push(`${column} IN (${values.map(() => '?').join(', ')})`);
    parameters.push(...values);
  }
  if (partId !== undefined) {
    conditions.push('body LIKE ?');
    parameters.push(`%"${partId}"%`);
  }
  return queries.all<StoredEvent>(
    `SELECT id, event_type, body, created_ms FROM events WHERE ${conditions.join(' AND ')}
     ORDER BY seq DESC LIMIT ?`,
    ...parameters,
    HISTORY_MAX,
  );
}

export function toEventOfObject({ id, event_type: eventType, created_ms: createdMs }: StoredEvent) {
  return { id, eventType, createdTimestamp: toTimestamp(createdMs) };
}

/** A stored request with its reply. */
export type StoredCall = Pick<
  RequestRow,
  'id' | 'method' | 'path' | 'status' | 'created_ms' | 'elapsed_us' | 'answer'
>;

/** Returns the latest stored requests with an id in path, body or reply, newest first; none where none are stored. */
export async function requestsOf({ store, requestLog }: Services, id: string): Promise<StoredCall[]> {
  if (!requestLog) return [];
  await requestLog.flush();
  return store.all<StoredCall & Row>(
    `SELECT id, method, path, status, created_ms, elapsed_us, answer FROM requests
     WHERE received_ms >= ? AND LOWER(object_ids) LIKE ? ESCAPE '\\' ORDER BY seq DESC LIMIT ?`,
    requestLog.expiredBeforeMs(),
    pattern(` ${id} `),
    HISTORY_MAX,
  );
}

export function toRequestOfObject({ id, method, path, status, created_ms: createdMs }: StoredCall) {
  return { id, method, path, status, createdTimestamp: toTimestamp(createdMs) };
}

interface LedgerRow extends Row {
  entry_id: string;
  type: string;
  holder: string;
  amount_minor: number;
  currency: string;
  created_ms: number;
}

/** Returns the latest ledger entries that an object caused, newest first. */
export async function entriesOf(
  queries: Queries,
  type: ObjectType,
  row: ObjectRow,
): Promise<History['entries']> {
  const ids = type.entries?.(row) ?? (await entryIdsOf(queries, originsOf(type, row)));
  return readEntries(queries, ids);
}

function originsOf(type: ObjectType, { id }: ObjectRow): [where: string, id: string] {
  return type.table === 'accounts'
    ? ['account_id = ?', id]
    : [type.origins ? `origin_id IN (${type.origins})` : 'origin_id = ?', id];
}

/** Returns the ids of the latest entries whose balance transactions fit a condition, newest first. */
export async function entryIdsOf(
  queries: Queries,
  [where, ...parameters]: [string, ...SqlValue[]],
): Promise<string[]> {
  const rows = await queries.all<Row & { entry_id: string }>(
    `SELECT entry_id, MAX(seq) AS latest FROM balance_transactions WHERE ${where}
     GROUP BY entry_id ORDER BY latest DESC LIMIT ?`,
    ...parameters,
    HISTORY_MAX,
  );
  return rows.map(({ entry_id: id }) => id);
}

/** Returns ledger entries with their postings, in the order of their ids. */
export async function readEntries(queries: Queries, ids: readonly string[]): Promise<History['entries']> {
  if (ids.length === 0) return [];
  const rows = await queries.all<LedgerRow>(
    `SELECT posting.entry_id, first.type, posting.holder, posting.amount_minor, posting.currency, first.created_ms
     FROM postings AS posting JOIN balance_transactions AS first ON first.id = posting.entry_id
     WHERE posting.entry_id IN (${ids.map(() => '?').join(', ')}) ORDER BY posting.seq`,
    ...ids,
  );
  return ids.flatMap((id) => {
    const own = rows.filter((row) => row.entry_id === id);
    return own.length === 0 ? [] : [toEntry(own)];
  });
}

function toEntry(rows: readonly LedgerRow[]): History['entries'][number] {
  const { entry_id: id, type, created_ms: createdMs } = rows[0]!;
  return {
    id,
    type,
    createdTimestamp: toTimestamp(createdMs),
    postings: rows.map(({ holder, amount_minor: amount, currency }) => ({ holder, amount, currency })),
  };
}

/** Parses the object in the data of an event. */
export function dataOf({ body }: StoredEvent): object {
  return parseJson(body).data;
}
