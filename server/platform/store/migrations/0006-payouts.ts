/** Bank accounts and what is paid to them; conventions as in 0001. */
export const payouts: readonly string[] = [
  // Of an account number only its last four digits and a keyed digest are kept.
  `CREATE TABLE payout_methods (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, type TEXT NOT NULL, display_name TEXT,
    status TEXT NOT NULL, invalid_reason TEXT, currency TEXT NOT NULL, country TEXT NOT NULL,
    bank_account TEXT NOT NULL, number_digest TEXT NOT NULL, deleted INTEGER NOT NULL DEFAULT 0,
    created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX payout_methods_by_account ON payout_methods (account_id, seq) WHERE deleted = 0`,
  `CREATE UNIQUE INDEX payout_methods_live_currency ON payout_methods (account_id, currency) WHERE deleted = 0`,

  // `method` and `calculation` are what they were when the payout was made.
  `CREATE TABLE payouts (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, status TEXT NOT NULL,
    amount_minor BIGINT NOT NULL, currency TEXT NOT NULL, schedule_type TEXT NOT NULL, method_id TEXT NOT NULL,
    method TEXT NOT NULL, failure_reason TEXT, calculation TEXT NOT NULL, scheme TEXT NOT NULL,
    taken_from TEXT, taken_to TEXT, metadata TEXT, created_ms BIGINT NOT NULL, scheduled_ms BIGINT NOT NULL,
    completed_ms BIGINT, updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX payouts_by_account ON payouts (account_id, seq)`,
  `CREATE INDEX payouts_by_time ON payouts (account_id, created_ms, seq)`,
];
