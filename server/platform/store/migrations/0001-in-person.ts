/**
 * The tables of the first release. `{seq}` is the engine's own counter: insertion order, which lists and their
 * paging tokens follow. JSON is text; `..._ms` epoch milliseconds; `..._minor` minor units; flags 0 or 1.
 */
export const inPerson: readonly string[] = [
  `CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,

  `CREATE TABLE accounts (
    seq {seq}, id TEXT NOT NULL UNIQUE, platform_id TEXT, type TEXT NOT NULL, name TEXT NOT NULL,
    settings TEXT NOT NULL, created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`,
  `CREATE TABLE api_keys (
    hash TEXT PRIMARY KEY, kind TEXT NOT NULL, mode TEXT NOT NULL, account_id TEXT NOT NULL)`,

  `CREATE TABLE locations (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, name TEXT NOT NULL, address TEXT NOT NULL,
    geo_coordinates TEXT, metadata TEXT NOT NULL, deleted INTEGER NOT NULL DEFAULT 0,
    created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX locations_by_account ON locations (account_id, seq) WHERE deleted = 0`,

  `CREATE TABLE terminals (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, serial_number TEXT NOT NULL,
    name TEXT NOT NULL, device_type TEXT NOT NULL, location_id TEXT NOT NULL, metadata TEXT NOT NULL,
    last_action_id TEXT, pairing_generation INTEGER NOT NULL DEFAULT 0, simulated_by TEXT,
    online INTEGER NOT NULL DEFAULT 0, deleted INTEGER NOT NULL DEFAULT 0,
    created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX terminals_by_account ON terminals (account_id, seq) WHERE deleted = 0`,
  `CREATE INDEX terminals_by_location ON terminals (location_id)`,
  `CREATE UNIQUE INDEX terminals_live_serial ON terminals (serial_number) WHERE deleted = 0`,

  `CREATE TABLE actions (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, terminal_id TEXT NOT NULL,
    session_id TEXT NOT NULL, type TEXT NOT NULL, status TEXT NOT NULL, phase TEXT NOT NULL,
    amount_minor BIGINT NOT NULL, currency TEXT NOT NULL, receipt_source TEXT NOT NULL,
    merchant_copy TEXT NOT NULL, customer_copy TEXT NOT NULL, error_code TEXT,
    refund_platform_fee INTEGER NOT NULL DEFAULT 0, decision TEXT, receipt TEXT,
    deadline_ms BIGINT, sent_seq INTEGER NOT NULL DEFAULT 0, seen_seq INTEGER NOT NULL DEFAULT 0,
    created_ms BIGINT NOT NULL, completed_ms BIGINT)`,
  `CREATE INDEX actions_in_progress ON actions (seq) WHERE status = 'InProgress'`,
  `CREATE UNIQUE INDEX actions_one_in_progress ON actions (terminal_id) WHERE status = 'InProgress'`,
  `CREATE UNIQUE INDEX actions_one_refund ON actions (session_id) WHERE status = 'InProgress' AND type = 'Refund'`,

  `CREATE TABLE payment_sessions (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, status TEXT NOT NULL,
    amount_minor BIGINT NOT NULL, currency TEXT NOT NULL, entry_mode TEXT NOT NULL, capture_flow TEXT NOT NULL,
    platform_fee_minor BIGINT, refunded_minor BIGINT NOT NULL DEFAULT 0, last_error TEXT, client_secret TEXT NOT NULL,
    payment_method TEXT, payment_settings TEXT, statement_descriptor TEXT NOT NULL, return_url TEXT NOT NULL,
    metadata TEXT NOT NULL, created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX payment_sessions_by_account ON payment_sessions (account_id, seq)`,

  `CREATE TABLE payment_transactions (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, session_id TEXT NOT NULL,
    type TEXT NOT NULL, status TEXT NOT NULL, amount_minor BIGINT NOT NULL, currency TEXT NOT NULL,
    refunded_minor BIGINT, platform_fee_minor BIGINT, platform_fee_refunded_minor BIGINT, reason TEXT,
    capture_type TEXT, payment_method TEXT, created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX payment_transactions_by_session ON payment_transactions (session_id, seq)`,

  `CREATE TABLE products (seq {seq}, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL)`,
  `CREATE TABLE skus (
    seq {seq}, id TEXT NOT NULL UNIQUE, product_id TEXT NOT NULL, country TEXT NOT NULL, body TEXT NOT NULL)`,
  `CREATE TABLE orders (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, body TEXT NOT NULL)`,

  `CREATE TABLE webhooks (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, url TEXT NOT NULL, active INTEGER NOT NULL,
    event_types TEXT NOT NULL, secret TEXT NOT NULL, deleted INTEGER NOT NULL DEFAULT 0,
    created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX webhooks_by_account ON webhooks (account_id, seq) WHERE deleted = 0`,

  `CREATE TABLE events (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, event_type TEXT NOT NULL, body TEXT NOT NULL,
    created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX events_by_account ON events (account_id, seq)`,
  `CREATE TABLE deliveries (
    seq {seq}, event_id TEXT NOT NULL, webhook_id TEXT NOT NULL, state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0, last_status TEXT, UNIQUE (event_id, webhook_id))`,

  `CREATE TABLE jobs (
    seq {seq}, kind TEXT NOT NULL, subject TEXT NOT NULL, payload TEXT NOT NULL, due_ms BIGINT NOT NULL,
    claimed_by TEXT, claimed_until_ms BIGINT NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0)`,
  `CREATE INDEX jobs_by_due ON jobs (kind, due_ms, seq) WHERE claimed_by IS NULL`,
  `CREATE INDEX jobs_by_subject ON jobs (subject, due_ms, seq)`,
  `CREATE UNIQUE INDEX jobs_one_claimed ON jobs (subject) WHERE claimed_by IS NOT NULL`,
];
