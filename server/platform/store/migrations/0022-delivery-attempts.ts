/**
 * What each attempt of a delivery sent and got, one line of JSON for each (server/platform/outbox/attempt-log.ts), how many
 * attempts were made by hand, and when the next one is due. The log comes last, so that a list reads the columns before
 * it alone.
 */
export const deliveryAttempts: readonly string[] = [
  `ALTER TABLE deliveries ADD COLUMN next_ms BIGINT`,
  `ALTER TABLE deliveries ADD COLUMN sent_again INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE deliveries ADD COLUMN attempt_log TEXT NOT NULL DEFAULT ''`,
  `CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, seq)`,
];
