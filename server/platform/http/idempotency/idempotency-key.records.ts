import type { Queries, Row, Store, Transaction, TransactionOptions } from '../../store/store.ts';

/** What a transaction about idempotency keys names as its guard. */
export const KEY_GUARD = { guardedBy: ['idempotencyKeys'] } as const satisfies TransactionOptions;

/** What is kept of a request with an idempotency key. Instants are real time. */
export interface IdempotencyKeyRow extends Row {
  key_digest: string;
  request_digest: string;
  /** Names the attempt that works on the request, or did. */
  claim: string;
  lease_ms: number;
  expires_ms: number;
  /** HTTP status of the answer; null as long as there is none. */
  status: number | null;
  /** The answer, sealed. */
  answer: string | null;
}

/** Keys that one statement deletes, so that no request waits long for it. */
const DELETED_AT_ONCE = 500;

export function findKey(queries: Queries, keyDigest: string): Promise<IdempotencyKeyRow | undefined> {
  return queries.get<IdempotencyKeyRow>(`SELECT * FROM idempotency_keys WHERE key_digest = ?`, keyDigest);
}

/**
 * Records that an attempt works on a request, unless its key is taken: by an answer that is kept, or by another attempt
 * whose lease has not ended. Returns whether it did.
 */
export async function saveClaim(
  tx: Transaction,
  row: Pick<IdempotencyKeyRow, 'key_digest' | 'request_digest' | 'claim' | 'lease_ms' | 'expires_ms'>,
  nowMs: number,
): Promise<boolean> {
  const { changes } = await tx.run(
    `INSERT INTO idempotency_keys (key_digest, request_digest, claim, lease_ms, expires_ms) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (key_digest) DO UPDATE SET request_digest = excluded.request_digest, claim = excluded.claim,
       lease_ms = excluded.lease_ms, expires_ms = excluded.expires_ms, status = NULL, answer = NULL
     WHERE idempotency_keys.expires_ms <= ?
       OR (idempotency_keys.status IS NULL AND idempotency_keys.lease_ms <= ?)`,
    row.key_digest,
    row.request_digest,
    row.claim,
    row.lease_ms,
    row.expires_ms,
    nowMs,
    nowMs,
  );
  return changes > 0;
}

/** An attempt at a request. */
export interface Claim {
  keyDigest: string;
  claim: string;
}

/** Saves the answer of an attempt. Returns false when another attempt took its place. */
export async function saveAnswer(
  queries: Queries,
  { keyDigest, claim }: Claim,
  { status, answer }: { status: number; answer: string },
): Promise<boolean> {
  const { changes } = await queries.run(
    `UPDATE idempotency_keys SET status = ?, answer = ? WHERE key_digest = ? AND claim = ? AND status IS NULL`,
    status,
    answer,
    keyDigest,
    claim,
  );
  return changes > 0;
}

/** Deletes an attempt that ended without an answer. */
export async function deleteClaim(store: Store, { keyDigest, claim }: Claim): Promise<void> {
  await store.transaction(
    (tx) =>
      tx.run(
        `DELETE FROM idempotency_keys WHERE key_digest = ? AND claim = ? AND status IS NULL`,
        keyDigest,
        claim,
      ),
    KEY_GUARD,
  );
}

/** Deletes the attempts without an answer of a server that ended, when no other server uses the store. */
export async function deleteAllClaims(store: Store): Promise<void> {
  // Every lease is later; the comparison lets SQLite search the index.
  const any = await store.get(`SELECT 1 FROM idempotency_keys WHERE status IS NULL AND lease_ms > 0 LIMIT 1`);
  if (!any) return;
  await store.transaction((tx) => tx.run(`DELETE FROM idempotency_keys WHERE status IS NULL`), KEY_GUARD);
}

/** Deletes keys that have expired. Returns whether more may be left. */
export async function deleteExpiredKeys(store: Store, nowMs: number): Promise<boolean> {
  const any = await store.get(`SELECT 1 FROM idempotency_keys WHERE expires_ms <= ? LIMIT 1`, nowMs);
  if (!any) return false;
  const { changes } = await store.transaction(
    (tx) =>
      tx.run(
        // The outer condition is for a key that a request claims meanwhile. By the index on its column, PostgreSQL would
        // read all that have expired for each batch.
        `DELETE FROM idempotency_keys WHERE expires_ms + 0 <= ? AND key_digest IN (
           SELECT key_digest FROM idempotency_keys WHERE expires_ms <= ? ORDER BY expires_ms LIMIT ?)`,
        nowMs,
        nowMs,
        DELETED_AT_ONCE,
      ),
    KEY_GUARD,
  );
  return changes === DELETED_AT_ONCE;
}
