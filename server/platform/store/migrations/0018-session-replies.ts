/** The reply that shows a payment session, without its client secret, and the row that it is of. */
export const sessionReplies: readonly string[] = [
  `ALTER TABLE payment_sessions ADD COLUMN reply TEXT`,
  `ALTER TABLE payment_sessions ADD COLUMN reply_version INTEGER`,
  `ALTER TABLE payment_sessions ADD COLUMN reply_ms BIGINT`,
];
