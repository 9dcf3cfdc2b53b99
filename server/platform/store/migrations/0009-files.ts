/** Uploaded files: what they are, not their bytes, which no request returns (docs/choices.md, Files). */
export const files: readonly string[] = [
  `CREATE TABLE files (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL,
    category TEXT NOT NULL, digest TEXT NOT NULL, size_bytes BIGINT NOT NULL, metadata TEXT NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0, created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX files_by_account ON files (account_id, seq) WHERE deleted = 0`,
  `CREATE INDEX files_by_category ON files (account_id, category, seq) WHERE deleted = 0`,
];
