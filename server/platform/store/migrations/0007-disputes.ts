/** Payments that their cardholders took back; conventions as in 0001. */
export const disputes: readonly string[] = [
  // `payment` and `customer` are what they were when the dispute was opened; `bearer_id` is the account that bears
  // the chargeback, which a reversal gives it back to.
  `CREATE TABLE disputes (
    seq {seq}, id TEXT NOT NULL UNIQUE, platform_id TEXT NOT NULL, account_id TEXT NOT NULL,
    session_id TEXT NOT NULL, bearer_id TEXT NOT NULL, status TEXT NOT NULL, amount_minor BIGINT NOT NULL,
    currency TEXT NOT NULL, category TEXT NOT NULL, reason TEXT NOT NULL, payment TEXT NOT NULL, customer TEXT,
    evidence TEXT NOT NULL, respond_by_ms BIGINT NOT NULL, created_ms BIGINT NOT NULL,
    updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX disputes_by_platform ON disputes (platform_id, seq)`,
  `CREATE INDEX disputes_by_account ON disputes (account_id, seq)`,
  `CREATE INDEX disputes_by_platform_time ON disputes (platform_id, created_ms, seq)`,
  `CREATE INDEX disputes_by_account_time ON disputes (account_id, created_ms, seq)`,
  `CREATE INDEX disputes_by_session ON disputes (session_id, seq)`,
];
