import { jsonText } from '../store/json-text.ts';
import type { SqlValue, Transaction } from '../store/store.ts';
import { JOB_COLUMNS, toJob, type ClaimOwner, type JobRow } from './job.records.ts';
import type { Job, JobRequest } from './jobs.ts';

export function insertJob(tx: Transaction, request: JobRequest): void {
  tx.send(
    `INSERT INTO jobs (kind, queue, subject, payload, due_ms) VALUES (?, ?, ?, ?, ?)`,
    request.kind,
    request.queue ?? '',
    request.key,
    jsonText(request.payload ?? null),
    request.dueMs,
  );
}

/** An earlier job of the same key that is due. */
const DUE = `SELECT 1 FROM jobs WHERE subject = ? AND kind = ? AND due_ms <= ?`;
/** One that is not claimed yet. */
const UNCLAIMED = `${DUE} AND claimed_by IS NULL`;

const CLAIMED_COLUMNS = 'kind, queue, subject, payload, due_ms, claimed_by, claimed_until_ms';

/**
 * Inserts a job that is claimed already. Returns undefined and inserts nothing when another of its key is claimed or due:
 * that one comes first. A claim that ends while the statement runs does not let it overtake the job of that claim. For
 * several instances on one SQLite file, which only tests have: they delay commits and their effects at will.
 */
export async function insertClaimed(
  tx: Transaction,
  request: JobRequest,
  by: ClaimOwner,
): Promise<Job | undefined> {
  const { kind, key } = request;
  const row = await tx.get<JobRow>(
    `INSERT INTO jobs (${CLAIMED_COLUMNS})
     SELECT ?, ?, ?, ?, ?, ?, ? WHERE NOT EXISTS (${DUE})
     ON CONFLICT DO NOTHING RETURNING ${JOB_COLUMNS}`,
    ...claimedValues(request, by),
    key,
    kind,
    by.nowMs,
  );
  return row && toJob(row);
}

/**
 * Inserts a job, claimed unless another of its key is claimed or due: that one comes first. Returns it when it is
 * claimed. One statement, so that its answer is not waited for before the commit. PostgreSQL only.
 */
export async function insertClaimedIfFree(
  tx: Transaction,
  request: JobRequest,
  by: ClaimOwner,
): Promise<Job | undefined> {
  const { kind, queue = '', key, payload = null, dueMs } = request;
  const row = await tx.get<{ seq: number }>(
    `WITH request (${CLAIMED_COLUMNS}) AS (
       VALUES (?, ?, ?, ?, CAST(? AS BIGINT), ?, CAST(? AS BIGINT))),
     claimed AS (
       INSERT INTO jobs (${CLAIMED_COLUMNS}) SELECT * FROM request WHERE NOT EXISTS (${DUE})
       ON CONFLICT DO NOTHING RETURNING seq),
     unclaimed AS (
       INSERT INTO jobs (kind, queue, subject, payload, due_ms)
       SELECT kind, queue, subject, payload, due_ms FROM request WHERE NOT EXISTS (SELECT 1 FROM claimed))
     SELECT seq FROM claimed`,
    ...claimedValues(request, by),
    key,
    kind,
    by.nowMs,
  );
  return row && { seq: row.seq, kind, queue, key, payload, dueMs, attempts: 0 };
}

/**
 * Inserts a job that is claimed already, also while others of its key are. Returns undefined and inserts nothing
 * when one is due and not claimed yet. For the only instance on an SQLite file, whose runner runs those of a key in
 * order.
 */
export async function insertBehindClaimed(
  tx: Transaction,
  request: JobRequest,
  by: ClaimOwner,
): Promise<Job | undefined> {
  const { kind, queue = '', key, payload = null, dueMs } = request;
  const { changes, lastInsertRowid } = await tx.run(
    `INSERT INTO jobs (${CLAIMED_COLUMNS}) SELECT ?, ?, ?, ?, ?, ?, ? WHERE NOT EXISTS (${UNCLAIMED})`,
    ...claimedValues(request, by),
    key,
    kind,
    by.nowMs,
  );
  return changes === 0 ? undefined : { seq: lastInsertRowid!, kind, queue, key, payload, dueMs, attempts: 0 };
}

/** Returns the values of `CLAIMED_COLUMNS`. */
function claimedValues(
  { kind, queue = '', key, payload = null, dueMs }: JobRequest,
  { owner, untilMs }: ClaimOwner,
): SqlValue[] {
  return [kind, queue, key, jsonText(payload), dueMs, owner, untilMs];
}
