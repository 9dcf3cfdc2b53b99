import { parseJson, type JsonText } from '../store/json-text.ts';
import type { Queries } from '../store/store.ts';
import type { PendingWork } from '../clock-advances.ts';
import { DELIVERY_JOB, eventIdsOf } from '../outbox/delivery-jobs.ts';

// More are not looked at: one that is awaited is enough to wait.
const DUE_MAX = 500;

const marks = (values: readonly unknown[]) => values.map(() => '?').join(', ');

/** Lists jobs of these kinds that are due, claimed or not. */
export function listDue(
  queries: Queries,
  kinds: readonly string[],
  nowMs: number,
): Promise<{ seq: number; kind: string }[]> {
  return queries.all(
    `SELECT seq, kind FROM jobs WHERE due_ms <= ? AND kind IN (${marks(kinds)}) ORDER BY due_ms LIMIT ${DUE_MAX}`,
    nowMs,
    ...kinds,
  );
}

/** The next instant after `nowMs` at which a job of these kinds is due; Infinity when none is. */
export async function nextDueOf(queries: Queries, kinds: readonly string[], nowMs: number): Promise<number> {
  if (kinds.length === 0) return Infinity;
  const row = await queries.get<{ due_ms: number | null }>(
    `SELECT MIN(due_ms) AS due_ms FROM jobs WHERE due_ms > ? AND kind IN (${marks(kinds)})`,
    nowMs,
    ...kinds,
  );
  return row?.due_ms ?? Infinity;
}

/** Lists the claimed jobs of a kind, those of other instances too. */
export function listClaimed(queries: Queries, kind: string): Promise<{ seq: number }[]> {
  return queries.all(`SELECT seq FROM jobs WHERE kind = ? AND claimed_by IS NOT NULL`, kind);
}

/** Counts what is due until an instant and not done. */
export async function countPending(queries: Queries, untilMs: number): Promise<PendingWork> {
  const other = await queries.get<{ n: number }>(
    `SELECT COUNT(*) AS n FROM jobs WHERE due_ms <= ? AND kind <> ?`,
    untilMs,
    DELIVERY_JOB,
  );
  const deliveries = await queries.all<{ payload: JsonText<unknown> }>(
    `SELECT payload FROM jobs WHERE due_ms <= ? AND kind = ?`,
    untilMs,
    DELIVERY_JOB,
  );
  const counts = deliveries.map(({ payload }) => eventIdsOf(parseJson(payload)).length);
  return { jobs: other!.n, deliveries: counts.reduce((sum, count) => sum + count, 0) };
}
