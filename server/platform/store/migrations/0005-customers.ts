/** Customers, their cards, and what is billed to them on the clock; conventions as in 0001. */
export const customers: readonly string[] = [
  // `email_key` is the address as it is compared; a deleted customer's address is free again.
  `CREATE TABLE customers (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, email TEXT NOT NULL, email_key TEXT NOT NULL,
    first_name TEXT, last_name TEXT, home_phone TEXT, mobile_phone TEXT, default_payment_method_id TEXT,
    metadata TEXT NOT NULL, deleted INTEGER NOT NULL DEFAULT 0,
    created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX customers_by_account ON customers (account_id, seq) WHERE deleted = 0`,
  `CREATE INDEX customers_by_time ON customers (account_id, created_ms, seq)`,
  `CREATE UNIQUE INDEX customers_live_email ON customers (account_id, email_key) WHERE deleted = 0`,

  // Every card that was ever attempted is a token here; `stored` ones may be used again. Never more than BIN and
  // last four of a number.
  `CREATE TABLE payment_methods (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, customer_id TEXT, stored INTEGER NOT NULL,
    scheme TEXT NOT NULL, bin TEXT NOT NULL, last4 TEXT NOT NULL, expiry_month TEXT NOT NULL, expiry_year TEXT NOT NULL,
    billing_address TEXT, checks TEXT, deleted INTEGER NOT NULL DEFAULT 0,
    created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX payment_methods_by_customer ON payment_methods (customer_id, stored, deleted, seq)`,

  // `cycle` counts what was begun; `next_billing_ms` is when the next try to charge is due, null when none is.
  `CREATE TABLE subscriptions (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, customer_id TEXT NOT NULL,
    payment_method_id TEXT, status TEXT NOT NULL, phase TEXT NOT NULL, description TEXT,
    price_minor BIGINT NOT NULL, currency TEXT NOT NULL, interval_unit TEXT NOT NULL,
    interval_count INTEGER NOT NULL, interval_times INTEGER, balance_minor BIGINT NOT NULL DEFAULT 0,
    cycle INTEGER NOT NULL DEFAULT 0, cycle_start_ms BIGINT NOT NULL, cycle_end_ms BIGINT NOT NULL,
    billing_cycle_ms BIGINT NOT NULL, next_billing_ms BIGINT, payment_attempts INTEGER NOT NULL DEFAULT 0,
    last_error TEXT, pause_reason TEXT, paused_ms BIGINT, resume_ms BIGINT, cancel_reason TEXT, cancelled_ms BIGINT,
    initial_session_id TEXT NOT NULL, latest_session_id TEXT NOT NULL, shipping_details TEXT,
    payment_settings TEXT, metadata TEXT NOT NULL, created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX subscriptions_by_account ON subscriptions (account_id, seq)`,
  `CREATE INDEX subscriptions_by_time ON subscriptions (account_id, created_ms, seq)`,
  `CREATE INDEX subscriptions_by_customer ON subscriptions (customer_id, seq)`,

  `CREATE TABLE subscription_sessions (
    session_id TEXT PRIMARY KEY, subscription_id TEXT NOT NULL, purpose TEXT NOT NULL, cycle INTEGER NOT NULL)`,
  `CREATE INDEX subscription_sessions_by_subscription ON subscription_sessions (subscription_id, session_id)`,
];
