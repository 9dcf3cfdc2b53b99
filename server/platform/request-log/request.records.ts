import type { JsonText } from '../store/json-text.ts';
import { insertRows } from '../store/table-rows.ts';
import type { Queries, Row, Store, Transaction } from '../store/store.ts';

/** A stored request (server/platform/store/migrations/0021-requests.ts). */
export interface RequestRow extends Row {
  seq: number;
  id: string;
  received_ms: number;
  created_ms: number;
  elapsed_us: number;
  method: string;
  path: string;
  status: number | null;
  key_end: string | null;
  account_id: string | null;
  request_id: string | null;
  operation: string | null;
  tag: string | null;
  refusal: string | null;
  idempotency_key: 'used' | 'ignored' | null;
  object_ids: string;
  query: JsonText<Record<string, unknown>> | null;
  headers: JsonText<Record<string, unknown>>;
  answer_headers: JsonText<Record<string, unknown>>;
  body: JsonText<unknown> | null;
  answer: JsonText<unknown> | null;
}
export type NewRequestRow = { [K in (typeof COLUMNS)[number]]: RequestRow[K] };

const COLUMNS = [
  'id',
  'received_ms',
  'created_ms',
  'elapsed_us',
  'method',
  'path',
  'status',
  'key_end',
  'account_id',
  'request_id',
  'operation',
  'tag',
  'refusal',
  'idempotency_key',
  'object_ids',
  'query',
  'headers',
  'answer_headers',
  'body',
  'answer',
] as const;

/** Stores requests, and deletes those before the latest `countMax`. */
export async function insertRequests(
  tx: Transaction,
  engine: Store['engine'],
  rows: readonly NewRequestRow[],
  countMax: number,
): Promise<void> {
  const values = rows.map((row) => COLUMNS.map((column) => row[column]));
  await insertRows(tx, engine, { name: 'requests', columns: COLUMNS }, values);
  const newest = await tx.get<{ seq: number }>('SELECT MAX(seq) AS seq FROM requests');
  await tx.run('DELETE FROM requests WHERE seq <= ?', newest!.seq - countMax);
}

/** Deletes the requests that were received before an instant, real time. */
export async function deleteRequestsBefore(queries: Queries, beforeMs: number): Promise<void> {
  await queries.run('DELETE FROM requests WHERE received_ms < ?', beforeMs);
}
