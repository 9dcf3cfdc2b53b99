import { parseJson, type JsonText } from '../store/json-text.ts';
import {
  retryOnUniqueViolation,
  type Queries,
  type Row,
  type Store,
  type Transaction,
} from '../store/store.ts';
import type { Job, JobRequest } from './jobs.ts';
import type { Queue } from './slots.ts';

/** The instance that claims jobs, with the times of its claims. */
export interface ClaimOwner {
  owner: string;
  /** Sandbox time; jobs due by then are claimed. */
  nowMs: number;
  /** When the claims end unless they are renewed, in real time; 0 for claims of the only instance, which do not end. */
  untilMs: number;
}

export interface JobRow extends Row {
  seq: number;
  kind: string;
  queue: string;
  subject: string;
  payload: JsonText<unknown>;
  due_ms: number;
  attempts: number;
}

export const JOB_COLUMNS = 'seq, kind, queue, subject, payload, due_ms, attempts';

export function toJob(row: JobRow): Job {
  const { seq, kind, queue, subject: key, attempts } = row;
  return { seq, kind, queue, key, payload: parseJson(row.payload), dueMs: row.due_ms, attempts };
}

/**
 * Runs a transaction that claims due jobs. One instance claims at a time. A claim that a power failure undoes is made again:
 * what a job writes is committed with its end, which fails without the claim.
 */
export function claiming(store: Store, body: (tx: Transaction) => Promise<void>): Promise<void> {
  const locked = async (tx: Transaction) => {
    tx.lock('claims');
    await body(tx);
  };
  // A transaction that adds a job may claim it, of the same key, at the same time.
  return retryOnUniqueViolation(store, locked, { guardedBy: ['jobClaims'], delayedDurability: true });
}

/** Claims what is due of a queue, first things first: of each key the first, of those at most `limit`. */
export async function claimDue(
  tx: Transaction,
  { kind, queue }: Queue,
  limit: number,
  by: ClaimOwner,
): Promise<Job[]> {
  const rows = await tx.all<JobRow>(
    `UPDATE jobs SET claimed_by = ?, claimed_until_ms = ? WHERE claimed_by IS NULL AND seq IN (
       SELECT due.seq FROM jobs due WHERE due.kind = ? AND due.queue = ?
         AND due.claimed_by IS NULL AND due.due_ms <= ?
       AND NOT EXISTS (SELECT 1 FROM jobs o WHERE o.subject = due.subject AND o.seq <> due.seq AND (
         o.claimed_by IS NOT NULL OR (o.kind = due.kind AND (o.due_ms, o.seq) < (due.due_ms, due.seq))))
       ORDER BY due.due_ms, due.seq LIMIT ?)
     RETURNING ${JOB_COLUMNS}`,
    by.owner,
    by.untilMs,
    kind,
    queue,
    by.nowMs,
    limit,
  );
  return rows.map(toJob);
}

/** Claims what is due of a key of which nothing is claimed, of any of these kinds, first things first: at most `limit`. */
export async function claimOfKey(
  tx: Transaction,
  key: string,
  { kinds, limit }: { kinds: readonly string[]; limit: number },
  by: ClaimOwner,
): Promise<Job[]> {
  const rows = await tx.all<JobRow>(
    `UPDATE jobs SET claimed_by = ?, claimed_until_ms = ? WHERE claimed_by IS NULL AND seq IN (
       SELECT seq FROM jobs WHERE subject = ? AND claimed_by IS NULL AND due_ms <= ?
       AND kind IN (${kinds.map(() => '?').join(', ')})
       AND NOT EXISTS (SELECT 1 FROM jobs WHERE subject = ? AND claimed_by IS NOT NULL)
       ORDER BY due_ms, seq LIMIT ?)
     RETURNING ${JOB_COLUMNS}`,
    by.owner,
    by.untilMs,
    key,
    by.nowMs,
    ...kinds,
    key,
    limit,
  );
  return rows.map(toJob).sort((a, b) => a.dueMs - b.dueMs || a.seq - b.seq);
}

/** Claims the first job that is due of each of these keys of which nothing is claimed. */
export async function claimFirstOfKeys(
  tx: Transaction,
  keys: readonly string[],
  kinds: readonly string[],
  by: ClaimOwner,
): Promise<Job[]> {
  const rows = await tx.all<JobRow>(
    `WITH keys (subject) AS (VALUES ${keys.map(() => '(?)').join(', ')})
     UPDATE jobs SET claimed_by = ?, claimed_until_ms = ? WHERE claimed_by IS NULL AND seq IN (
       SELECT (SELECT due.seq FROM jobs due WHERE due.subject = keys.subject AND due.claimed_by IS NULL
         AND due.due_ms <= ? AND due.kind IN (${kinds.map(() => '?').join(', ')})
         AND NOT EXISTS (SELECT 1 FROM jobs o WHERE o.subject = keys.subject AND o.claimed_by IS NOT NULL)
         ORDER BY due.due_ms, due.seq LIMIT 1)
       FROM keys)
     RETURNING ${JOB_COLUMNS}`,
    ...keys,
    by.owner,
    by.untilMs,
    by.nowMs,
    ...kinds,
  );
  return rows.map(toJob);
}

/** The next instant after `nowMs` at which a job of the queue falls due; Infinity when none will. */
export async function nextDueMs(queries: Queries, { kind, queue }: Queue, nowMs: number): Promise<number> {
  const row = await queries.get<{ due_ms: number }>(
    `SELECT due_ms FROM jobs WHERE kind = ? AND queue = ? AND claimed_by IS NULL AND due_ms > ?
     ORDER BY due_ms LIMIT 1`,
    kind,
    queue,
    nowMs,
  );
  return row?.due_ms ?? Infinity;
}

/**
 * The kinds with an unclaimed job in the queue without a name, and when the first of each is due. One statement for all,
 * since a poll of each sandbox asks for them. PostgreSQL only.
 */
export async function firstDueOfKinds(
  queries: Queries,
  kinds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await queries.all<{ kind: string; due_ms: number | null }>(
    `SELECT kind, (SELECT MIN(due_ms) FROM jobs
       WHERE jobs.kind = kinds.kind AND queue = '' AND claimed_by IS NULL) AS due_ms
     FROM unnest(string_to_array(?, ' ')) AS kinds (kind)`,
    kinds.join(' '),
  );
  return new Map(rows.flatMap(({ kind, due_ms }) => (due_ms === null ? [] : [[kind, due_ms]])));
}

/** When the first job of all is due, also one that is claimed; undefined when there is none. */
export async function firstDueMs(queries: Queries): Promise<number | undefined> {
  const row = await queries.get<{ due_ms: number | null }>(`SELECT MIN(due_ms) AS due_ms FROM jobs`);
  return row?.due_ms ?? undefined;
}

/** The queues of a kind in which jobs wait, and when the first of each is due: one look into an index for each queue. */
export function listQueues(queries: Queries, kind: string): Promise<{ queue: string; due_ms: number }[]> {
  return queries.all(
    `WITH RECURSIVE found (queue) AS (
       SELECT MIN(queue) FROM jobs WHERE kind = ? AND claimed_by IS NULL
       UNION ALL
       SELECT (SELECT MIN(queue) FROM jobs WHERE kind = ? AND claimed_by IS NULL AND queue > found.queue)
       FROM found WHERE found.queue IS NOT NULL)
     SELECT queue, (SELECT MIN(due_ms) FROM jobs j
       WHERE j.kind = ? AND j.queue = found.queue AND j.claimed_by IS NULL) AS due_ms
     FROM found WHERE queue IS NOT NULL`,
    kind,
    kind,
    kind,
  );
}

/** Removes a job that `owner` has claimed; false when it has not. */
export async function removeClaimed(tx: Transaction, seq: number, owner: string): Promise<boolean> {
  const { changes } = await tx.run(`DELETE FROM jobs WHERE seq = ? AND claimed_by = ?`, seq, owner);
  return changes === 1;
}

/**
 * Removes jobs that `by.owner` has claimed, in one statement with the search for another job of their keys that is due and not
 * claimed, which another instance may have added. Returns those that were removed, by number.
 */
export async function removeAndFindNext(
  tx: Transaction,
  seqs: readonly number[],
  by: Pick<ClaimOwner, 'owner' | 'nowMs'>,
): Promise<ReadonlyMap<number, { hasNext: boolean }>> {
  const rows = await tx.all<{ seq: number; next: number }>(
    `DELETE FROM jobs WHERE seq IN (${seqs.map(() => '?').join(', ')}) AND claimed_by = ?
     RETURNING seq, CASE WHEN EXISTS (SELECT 1 FROM jobs o
       WHERE o.subject = jobs.subject AND o.claimed_by IS NULL AND o.due_ms <= ?) THEN 1 ELSE 0 END AS next`,
    ...seqs,
    by.owner,
    by.nowMs,
  );
  return new Map(rows.map(({ seq, next }) => [seq, { hasNext: next === 1 }]));
}

/** Moves a job that `owner` has claimed to another time, and ends the claim with `release`; false when it has not. */
export async function postponeClaimed(
  queries: Queries,
  job: { seq: number; dueMs: number; attempts: number },
  owner: string,
  { release }: { release: boolean },
): Promise<boolean> {
  const { changes } = await queries.run(
    `UPDATE jobs SET due_ms = ?, attempts = ?${release ? ', claimed_by = NULL' : ''} WHERE seq = ? AND claimed_by = ?`,
    job.dueMs,
    job.attempts,
    job.seq,
    owner,
  );
  return changes === 1;
}

/** Removes the jobs of a kind and key, and returns their numbers. */
export async function removeJobs(tx: Transaction, kind: string, key: string): Promise<number[]> {
  const rows = await tx.all<{ seq: number }>(
    `DELETE FROM jobs WHERE subject = ? AND kind = ? RETURNING seq`,
    key,
    kind,
  );
  return rows.map(({ seq }) => seq);
}

/** Moves the jobs of a kind and key to a due time, unclaimed, and returns their numbers. */
export async function rescheduleJobs(tx: Transaction, { kind, key, dueMs }: JobRequest): Promise<number[]> {
  const rows = await tx.all<{ seq: number }>(
    `UPDATE jobs SET due_ms = ?, attempts = 0, claimed_by = NULL WHERE subject = ? AND kind = ? RETURNING seq`,
    dueMs,
    key,
    kind,
  );
  return rows.map(({ seq }) => seq);
}
