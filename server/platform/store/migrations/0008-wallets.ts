/** Sites on which wallets may be shown; conventions as in 0001. */
export const wallets: readonly string[] = [
  `CREATE TABLE wallet_domains (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, domain_name TEXT NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0, created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX wallet_domains_by_account ON wallet_domains (account_id, seq) WHERE deleted = 0`,
  `CREATE UNIQUE INDEX wallet_domains_live_name ON wallet_domains (account_id, domain_name) WHERE deleted = 0`,
];
