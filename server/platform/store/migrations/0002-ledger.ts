/**
 * The ledger. An entry is the postings that share an `entry_id`, which is the id of its first balance
 * transaction: no row of its own, since every payment writes one. `holder` is an account's id or a place
 * outside (`outside:cards`). `net` of a balance transaction is its amount without its fee.
 *
 * A balance is a few rows: one for what is available (`available_ms` 0), one for each day on which more becomes
 * available, and on PostgreSQL several stripes of each, so that payments at once do not wait for each other.
 */
export const ledger: readonly string[] = [
  `CREATE TABLE postings (
    seq {seq}, entry_id TEXT NOT NULL, holder TEXT NOT NULL, currency TEXT NOT NULL,
    amount_minor BIGINT NOT NULL, created_ms BIGINT NOT NULL)`,

  `CREATE TABLE balances (
    account_id TEXT NOT NULL, currency TEXT NOT NULL, stripe INTEGER NOT NULL, available_ms BIGINT NOT NULL,
    amount_minor BIGINT NOT NULL, transactions BIGINT NOT NULL, updated_ms BIGINT NOT NULL,
    PRIMARY KEY (account_id, currency, stripe, available_ms))`,

  `CREATE TABLE balance_transactions (
    seq {seq}, id TEXT NOT NULL UNIQUE, entry_id TEXT NOT NULL, account_id TEXT NOT NULL, type TEXT NOT NULL,
    amount_minor BIGINT NOT NULL, fee_minor BIGINT NOT NULL, net_minor BIGINT NOT NULL, currency TEXT NOT NULL,
    description TEXT, origin_id TEXT NOT NULL, origin_amount_minor BIGINT NOT NULL, origin_account_id TEXT,
    available_ms BIGINT NOT NULL, payout_id TEXT, created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX balance_transactions_by_account ON balance_transactions (account_id, seq)`,
  `CREATE INDEX balance_transactions_by_payout ON balance_transactions (payout_id, account_id, seq)
    WHERE payout_id IS NOT NULL`,
  `CREATE INDEX balance_transactions_not_paid_out ON balance_transactions (account_id, currency, available_ms)
    WHERE payout_id IS NULL`,

  `CREATE TABLE transfers (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, status TEXT NOT NULL,
    amount_minor BIGINT NOT NULL, currency TEXT NOT NULL, source_id TEXT, destination_id TEXT, reason TEXT,
    metadata TEXT, errors TEXT, created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX transfers_by_account ON transfers (account_id, seq)`,

  `CREATE TABLE platform_fees (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, session_id TEXT NOT NULL,
    capture_id TEXT NOT NULL, split_id TEXT, from_account_id TEXT NOT NULL, amount_minor BIGINT NOT NULL,
    payment_minor BIGINT NOT NULL, processing_minor BIGINT NOT NULL, currency TEXT NOT NULL,
    refunded_minor BIGINT NOT NULL DEFAULT 0, created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX platform_fees_by_account ON platform_fees (account_id, seq)`,
  `CREATE INDEX platform_fees_by_capture ON platform_fees (capture_id, seq)`,
  `CREATE TABLE platform_fee_refunds (
    seq {seq}, id TEXT NOT NULL UNIQUE, fee_id TEXT NOT NULL, amount_minor BIGINT NOT NULL,
    currency TEXT NOT NULL, reason TEXT, status TEXT NOT NULL, created_ms BIGINT NOT NULL,
    updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX platform_fee_refunds_by_fee ON platform_fee_refunds (fee_id, seq)`,

  `CREATE TABLE conversions (
    seq {seq}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, status TEXT NOT NULL,
    sell_minor BIGINT NOT NULL, sell_currency TEXT NOT NULL, buy_minor BIGINT, buy_currency TEXT NOT NULL,
    fee_minor BIGINT, rate_millionths BIGINT, settlement_date TEXT, reason TEXT, metadata TEXT,
    created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`,
  `CREATE INDEX conversions_by_account ON conversions (account_id, seq)`,
  `CREATE INDEX conversions_by_time ON conversions (account_id, created_ms, seq)`,
];
