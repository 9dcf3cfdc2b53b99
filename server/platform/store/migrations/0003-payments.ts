/** Payments without a terminal: what a session asks for, what its issuer wants to know; conventions as in 0001. */
export const payments: readonly string[] = [
  `ALTER TABLE payment_sessions ADD COLUMN captured_minor BIGINT NOT NULL DEFAULT 0`,
  `UPDATE payment_sessions SET captured_minor = amount_minor WHERE status = 'Captured'`,
  `ALTER TABLE payment_sessions ADD COLUMN payment_type TEXT NOT NULL DEFAULT 'Standard'`,
  `ALTER TABLE payment_sessions ADD COLUMN authorization_type TEXT NOT NULL DEFAULT 'FinalAuth'`,
  `ALTER TABLE payment_sessions ADD COLUMN verify_account INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE payment_sessions ADD COLUMN customer_id TEXT`,
  `ALTER TABLE payment_sessions ADD COLUMN customer_email TEXT`,
  `ALTER TABLE payment_sessions ADD COLUMN previous_session_id TEXT`,
  `ALTER TABLE payment_sessions ADD COLUMN splits TEXT`,
  // JSON of what a session only shows: customer, shipping, order, rebilling, use of a kept card.
  `ALTER TABLE payment_sessions ADD COLUMN details TEXT NOT NULL DEFAULT '{}'`,
  `ALTER TABLE payment_sessions ADD COLUMN required_action TEXT`,
  `ALTER TABLE payment_sessions ADD COLUMN three_ds_run_id TEXT`,
  // What the next movement of this session is made to fail: 'Capture', 'Void' or 'Refund'.
  `ALTER TABLE payment_sessions ADD COLUMN fail_next TEXT`,
  `CREATE INDEX payment_sessions_by_time ON payment_sessions (account_id, created_ms, seq)`,

  // The parts of a capture with what was given back of each, and of a refund; of a refund also which capture.
  `ALTER TABLE payment_transactions ADD COLUMN splits TEXT`,
  `ALTER TABLE payment_transactions ADD COLUMN capture_id TEXT`,

  // One authentication of a cardholder by an issuer. The id is the 3DS server's transaction id.
  `CREATE TABLE three_ds_runs (
    seq {seq}, id TEXT NOT NULL UNIQUE, acs_id TEXT NOT NULL, session_id TEXT NOT NULL, channel TEXT NOT NULL,
    challenge INTEGER NOT NULL, wrong_codes INTEGER NOT NULL DEFAULT 0, created_ms BIGINT NOT NULL)`,
];
