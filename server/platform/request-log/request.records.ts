import type { JsonText } from '../store/json-text.ts';
import { insertLatest, type RowLimits } from '../store/latest-rows.ts';
import { readResetTime } from '../store/reset-time.records.ts';
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

/**
 * Stores requests, and deletes the oldest that are over the limits. On PostgreSQL those that ended before the latest reset,
 * of whatever server, are left out.
 */
export async function insertRequests(
  tx: Transaction,
  engine: Store['engine'],
  rows: readonly NewRequestRow[],
  limits: RowLimits,
): Promise<void> {
  const kept = engine === 'postgres' ? await endedSinceReset(tx, rows) : rows;
  if (kept.length === 0) return;
  const values = kept.map((row) => COLUMNS.map((column) => row[column]));
  await insertLatest(tx, engine, { table: { name: 'requests', columns: COLUMNS }, rows: values }, limits);
}

async function endedSinceReset(tx: Transaction, rows: readonly NewRequestRow[]): Promise<NewRequestRow[]> {
  // A reset that is under way is waited for, and its time read.
  tx.delayReset();
  const resetMs = await readResetTime(tx);
  return rows.filter((row) => row.received_ms + row.elapsed_us / 1000 >= resetMs);
}

/** Deletes the requests that were received before an instant, real time: of all that are stored, which it reads. */
export async function deleteRequestsBefore(queries: Queries, beforeMs: number): Promise<void> {
  await queries.run('DELETE FROM requests WHERE received_ms < ?', beforeMs);
}

/**
 * Deletes the requests that were stored before the first one that was received at an instant, real time, or later. It
 * reads none that stay.
 */
export async function deleteExpiredRequests(queries: Queries, expiredBeforeMs: number): Promise<void> {
  await queries.run(
    `DELETE FROM requests WHERE seq < COALESCE(
       (SELECT seq FROM requests WHERE received_ms >= ? ORDER BY seq LIMIT 1),
       (SELECT MAX(seq) + 1 FROM requests))`,
    expiredBeforeMs,
  );
}
