/** Jobs of a kind that share its room fairly: those of one queue, which is an endpoint for deliveries. */
export const jobQueues: readonly string[] = [
  `ALTER TABLE jobs ADD COLUMN queue TEXT NOT NULL DEFAULT ''`,
  // The subject of a delivery was, and is, its endpoint with a lane of one digit.
  `UPDATE jobs SET queue = substr(subject, 1, length(subject) - 2) WHERE kind = 'webhook.deliver'`,
  `DROP INDEX jobs_by_due`,
  `CREATE INDEX jobs_by_due ON jobs (kind, queue, due_ms, seq) WHERE claimed_by IS NULL`,
];
