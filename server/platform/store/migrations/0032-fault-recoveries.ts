/** What faults took from terminals for a while, and when each is given back, in time of the sandbox. */
export const faultRecoveries: readonly string[] = [
  `CREATE TABLE fault_recoveries (
    terminal_id TEXT NOT NULL, what TEXT NOT NULL, due_ms BIGINT NOT NULL, PRIMARY KEY (terminal_id, what))`,
];
