import type { Queries, Store, Transaction } from '../store/store.ts';
import type { ClaimOwner } from './job.records.ts';

/**
 * Lengthens the claims on these jobs, those that still are `by.owner`'s. On PostgreSQL those whose row is locked are left out:
 * they are about to end, and to wait for several would let this wait for a transaction that waits for this one.
 */
export async function renewClaims(
  tx: Transaction,
  engine: Store['engine'],
  seqs: readonly number[],
  by: ClaimOwner,
): Promise<void> {
  if (engine === 'postgres') {
    await tx.run(
      `UPDATE jobs SET claimed_until_ms = ? WHERE seq IN (
         SELECT seq FROM jobs WHERE seq = ANY(CAST(string_to_array(?, ' ') AS BIGINT[])) AND claimed_by = ?
         FOR UPDATE SKIP LOCKED)`,
      by.untilMs,
      seqs.join(' '),
      by.owner,
    );
    return;
  }
  for (const seq of seqs) {
    await tx.run(
      `UPDATE jobs SET claimed_until_ms = ? WHERE seq = ? AND claimed_by = ?`,
      by.untilMs,
      seq,
      by.owner,
    );
  }
}

export async function releaseAllClaims(queries: Queries): Promise<void> {
  await queries.run(`UPDATE jobs SET claimed_by = NULL WHERE claimed_by IS NOT NULL`);
}

export async function releaseClaimsOf(queries: Queries, owner: string): Promise<void> {
  await queries.run(`UPDATE jobs SET claimed_by = NULL WHERE claimed_by = ?`, owner);
}

/** @param nowMs real time */
export async function releaseExpiredClaims(queries: Queries, nowMs: number): Promise<void> {
  await queries.run(
    `UPDATE jobs SET claimed_by = NULL WHERE claimed_by IS NOT NULL AND claimed_until_ms <= ?`,
    nowMs,
  );
}
