import type { Row, SqlValue } from './store.ts';

/** One connection, synchronous as the engine is. Every method throws UniqueViolation or Fault `store`. */
export interface SqliteConnection {
  get(sql: string, ...parameters: SqlValue[]): Row | undefined;
  all(sql: string, ...parameters: SqlValue[]): Row[];
  run(sql: string, ...parameters: SqlValue[]): { changes: number };
  /** One or more statements that are not worth keeping prepared. */
  exec(sql: string): void;
  /** False after an error that made SQLite roll back by itself. */
  readonly inTransaction: boolean;
  /** Copies the database into a new file, and syncs that. @throws Fault `store` when it cannot be written. */
  copyTo(path: string): Promise<void>;
  close(): void;
}
