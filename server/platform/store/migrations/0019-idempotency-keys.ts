/**
 * The keys that clients sent in `Idempotency-Key`, as digests, with the answers to their requests, encrypted. `claim`
 * names the attempt that works on a request until `lease_ms`; `status` and `answer` are null until it has one. Real time.
 */
export const idempotencyKeys: readonly string[] = [
  `CREATE TABLE idempotency_keys (
    key_digest TEXT PRIMARY KEY, request_digest TEXT NOT NULL, claim TEXT NOT NULL, lease_ms BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL, status INTEGER, answer TEXT)`,
  `CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_ms)`,
  `CREATE INDEX idempotency_keys_in_use ON idempotency_keys (lease_ms) WHERE status IS NULL`,
];
