/** What retention looks up to delete a payment with its parts, and rows that are nothing's part by their age. */
export const retentionOfParts: readonly string[] = [
  // The session whose attempt made the token; null for a token that an earlier version made.
  `ALTER TABLE payment_methods ADD COLUMN session_id TEXT`,
  `CREATE INDEX payment_methods_by_session ON payment_methods (session_id) WHERE stored = 0`,
  `CREATE INDEX three_ds_runs_by_session ON three_ds_runs (session_id)`,
  `CREATE INDEX payment_sessions_by_previous ON payment_sessions (previous_session_id)
    WHERE previous_session_id IS NOT NULL`,
  `CREATE INDEX account_links_by_expiry ON account_links (expires_ms)`,
  `CREATE INDEX seen_cryptograms_by_time ON seen_cryptograms (seen_ms)`,
];
