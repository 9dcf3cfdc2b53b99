/** The servers that work on this store, with the real time at which each last wrote that it runs. */
export const instances: readonly string[] = [
  `CREATE TABLE instances (id TEXT PRIMARY KEY, seen_ms BIGINT NOT NULL)`,
];
