/**
 * How the idempotency key of a request was treated: `used`, `ignored`, or null without one. The index finds the latest
 * ignored one, of which the dashboard warns.
 */
export const keyUse: readonly string[] = [
  `ALTER TABLE requests ADD COLUMN idempotency_key TEXT`,
  `CREATE INDEX requests_ignored_keys ON requests (seq) WHERE idempotency_key = 'ignored'`,
];
