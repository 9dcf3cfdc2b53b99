import type { Queries, Transaction } from '../store/store.ts';
import type { ClaimOwner } from './job.records.ts';

/** Lengthens the claims on these jobs, those that still are `by.owner`'s. */
export async function renewClaims(tx: Transaction, seqs: readonly number[], by: ClaimOwner): Promise<void> {
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
