import { toTimestamp } from '../../../protocol/clock.ts';
import type { SqlValue, Queries, Row } from '../../platform/store/store.ts';
import type { Services } from '../../platform/services.ts';
import type { RequestRow } from '../../platform/request-log/request.records.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import { requestList } from '../request-list.records.ts';
import type { EventsAbout, ObjectRow, ObjectType } from './object-type.ts';
import type { ObjectDetail } from './object.schema.ts';

/** An SQL condition with its parameters. */
export type Condition = [where: string, ...parameters: SqlValue[]];

/** Fits no row. */
export const NONE: Condition = ['1 = 0'];

/** Returns the condition for the events about an object. */
export function eventsAbout(type: ObjectType, row: ObjectRow): Condition {
  const { objectId, types, atMs, partId }: EventsAbout = type.eventsOf?.(row) ?? { objectId: row.id };
  const conditions: Condition[] = [['object_id = ?', objectId]];
  if (types !== undefined) conditions.push(oneOf('event_type', types));
  if (atMs !== undefined) conditions.push(oneOf('created_ms', atMs));
  if (partId !== undefined) conditions.push(['body LIKE ?', `%"${partId}"%`]);
  return [conditions.map(([where]) => where).join(' AND '), ...conditions.flatMap(([, ...values]) => values)];
}

/** Returns the condition for the balance transactions of the ledger entries that an object caused. */
export function transactionsOf(type: ObjectType, row: ObjectRow): Condition {
  const entryId = type.entryOf?.(row);
  // As the index of further transactions has it.
  if (entryId !== undefined) return ['(id = ? OR (entry_id = ? AND entry_id <> id))', entryId, entryId];
  if (type.table === 'accounts') return ['account_id = ?', row.id];
  return [type.origins ? `origin_id IN (${type.origins})` : 'origin_id = ?', row.id];
}

/** Returns the condition for the balance transactions of a balance. */
export function transactionsOfBalance(accountId: string, currency: string): Condition {
  return ['account_id = ? AND currency = ?', accountId, currency];
}

function oneOf(column: string, values: readonly SqlValue[]): Condition {
  if (values.length === 0) return NONE;
  return [`${column} IN (${values.map(() => '?').join(', ')})`, ...values];
}

const HISTORY_MAX = 100;
// The transactions of an entry follow each other.
const TRANSACTIONS_MAX = 4 * HISTORY_MAX;

/** The latest rows of a history, newest first. */
interface Latest<T> {
  items: T[];
  /** Whether there are older ones. */
  hasMore: boolean;
}

function latest<T>(rows: readonly T[]): Latest<T> {
  return { items: rows.slice(0, HISTORY_MAX), hasMore: rows.length > HISTORY_MAX };
}

type History = ObjectDetail['history'];

/** An event about an object, with the object as it was. */
export interface StoredEvent extends Row {
  id: string;
  event_type: string;
  body: JsonText<{ data: object }>;
  created_ms: number;
}

/** Returns the latest events about an object, newest first. */
export async function eventsOf(
  queries: Queries,
  type: ObjectType,
  row: ObjectRow,
): Promise<Latest<StoredEvent>> {
  const [where, ...parameters] = eventsAbout(type, row);
  const rows = await queries.all<StoredEvent>(
    `SELECT id, event_type, body, created_ms FROM events WHERE ${where}
     ORDER BY seq DESC LIMIT ?`,
    ...parameters,
    HISTORY_MAX + 1,
  );
  return latest(rows);
}

export function toEventOfObject({ id, event_type: eventType, created_ms: createdMs }: StoredEvent) {
  return { id, eventType, createdTimestamp: toTimestamp(createdMs) };
}

/** A stored request with its reply. */
export type StoredCall = Pick<
  RequestRow,
  'id' | 'method' | 'path' | 'status' | 'created_ms' | 'elapsed_us' | 'answer'
>;

/** Returns the latest stored requests of an object's history, newest first; none where none are stored. */
export async function requestsOf(
  { store, requestLog }: Pick<Services, 'store' | 'requestLog'>,
  id: string,
): Promise<Latest<StoredCall>> {
  if (!requestLog) return latest([]);
  await requestLog.flush();
  const { owned, shown } = requestList({ historyOf: id }, requestLog.expiredBeforeMs());
  const rows = await store.all<StoredCall & Row>(
    `SELECT id, method, path, status, created_ms, elapsed_us, answer FROM requests
     WHERE ${owned.where} AND ${shown.where} ORDER BY seq DESC LIMIT ?`,
    ...owned.parameters,
    ...shown.parameters,
    HISTORY_MAX + 1,
  );
  return latest(rows);
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
): Promise<Latest<History['entries'][number]>> {
  return entriesWhere(queries, transactionsOf(type, row));
}

/** Returns the latest ledger entries with a balance transaction that fits a condition, newest first. */
export async function entriesWhere(
  queries: Queries,
  [where, ...parameters]: Condition,
): Promise<Latest<History['entries'][number]>> {
  const rows = await queries.all<Row & { entry_id: string }>(
    `SELECT entry_id FROM balance_transactions WHERE ${where} ORDER BY seq DESC LIMIT ?`,
    ...parameters,
    TRANSACTIONS_MAX,
  );
  const { items: ids, hasMore } = latest([...new Set(rows.map(({ entry_id: id }) => id))]);
  return {
    items: await readEntries(queries, ids),
    hasMore: hasMore || rows.length === TRANSACTIONS_MAX,
  };
}

/** Returns ledger entries with their postings, in the order of their ids. */
async function readEntries(queries: Queries, ids: readonly string[]): Promise<History['entries']> {
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
