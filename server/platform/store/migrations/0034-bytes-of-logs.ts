/** Of each stored request and part of a timeline: the bytes of it and of all that were stored before it, deleted ones included. */
export const bytesOfLogs: readonly string[] = ['requests', 'action_timelines'].map(
  (table) => `ALTER TABLE ${table} ADD COLUMN total_bytes BIGINT NOT NULL DEFAULT 0`,
);
