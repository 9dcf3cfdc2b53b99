/**
 * The profile of an account, its persons, and the links to the pages that complete it. An account
 * without `onboarding_flow` is of the first release; the next start completes it.
 */
export const accounts: readonly string[] = [
  `ALTER TABLE accounts ADD COLUMN onboarding_flow TEXT`,
  `ALTER TABLE accounts ADD COLUMN email TEXT`,
  // The e-mail address by which its holder signs in, in lower case: one account of a platform each.
  `ALTER TABLE accounts ADD COLUMN email_key TEXT`,
  `ALTER TABLE accounts ADD COLUMN entity_type TEXT`,
  `ALTER TABLE accounts ADD COLUMN business TEXT`,
  `ALTER TABLE accounts ADD COLUMN individual TEXT`,
  `ALTER TABLE accounts ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}'`,
  `ALTER TABLE accounts ADD COLUMN payout_schedule TEXT NOT NULL DEFAULT 'Automatic'`,
  `ALTER TABLE accounts ADD COLUMN capabilities TEXT NOT NULL DEFAULT '{}'`,
  `ALTER TABLE accounts ADD COLUMN terms TEXT`,
  `ALTER TABLE accounts ADD COLUMN verification TEXT NOT NULL DEFAULT '{}'`,
  // What an individual has been paid out, minor units by currency.
  `ALTER TABLE accounts ADD COLUMN paid_out TEXT NOT NULL DEFAULT '{}'`,
  `CREATE INDEX accounts_by_platform ON accounts (platform_id, seq)`,
  `CREATE UNIQUE INDEX accounts_by_email ON accounts (platform_id, email_key)`,

  `CREATE TABLE persons (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, details TEXT NOT NULL, roles TEXT NOT NULL,
    documents TEXT NOT NULL, verification TEXT NOT NULL, metadata TEXT NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0, created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX persons_by_account ON persons (account_id, seq) WHERE deleted = 0`,

  // The token of a link gives access to an account, so only its digest is kept.
  `CREATE TABLE account_links (
    token_hash TEXT PRIMARY KEY, kind TEXT NOT NULL, account_id TEXT NOT NULL, redirect_url TEXT NOT NULL,
    expires_ms BIGINT NOT NULL, used_ms BIGINT, created_ms BIGINT NOT NULL)`,
];
