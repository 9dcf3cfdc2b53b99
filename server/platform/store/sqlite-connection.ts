import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { Fault } from '../../../protocol/failures.ts';
import { translate } from './sqlite-errors.ts';
import { sqliteStatement, type SqliteStatement } from './sqlite-statement.ts';
import type { Row, SqlValue, Written } from './store.ts';

// Another process, such as a database shell, can hold the lock for a moment. SQLite waits inside the call, so the
// whole process waits with it, and the timeout has to be short.
const BUSY_TIMEOUT_MS = 1000;

// The store's SQL texts are constants, a few hundred; the limit is for lists of varying length.
const STATEMENTS_MAX = 1000;

const NONE: readonly SqlValue[] = [];

/** One connection, synchronous as the engine is. Every method throws UniqueViolation or Fault `store`. */
export interface SqliteConnection {
  get(sql: string, parameters?: readonly SqlValue[]): Row | undefined;
  all(sql: string, parameters?: readonly SqlValue[]): Row[];
  run(sql: string, parameters?: readonly SqlValue[]): Written;
  /** One or more statements that are not worth keeping prepared. */
  exec(sql: string): void;
  /** False after an error that made SQLite roll back by itself. */
  readonly inTransaction: boolean;
  close(): void;
}

/** Opens a database file. @throws Fault `store` when it cannot be opened */
export function connect(
  path: string,
  options: { readOnly?: boolean; busyTimeoutMs?: number } = {},
): SqliteConnection {
  const { readOnly = false, busyTimeoutMs = BUSY_TIMEOUT_MS } = options;
  let database: DatabaseSyncInstance;
  try {
    database = new DatabaseSync(path, { readOnly, timeout: busyTimeoutMs });
  } catch (thrown) {
    throw translate(thrown);
  }
  const prepared = statementCache(database);
  const faultOf = (thrown: unknown) =>
    database.isOpen ? translate(thrown) : new Fault('store', 'the store is closed');
  return {
    get(sql, parameters = NONE) {
      try {
        return prepared(sql).get(parameters);
      } catch (thrown) {
        throw faultOf(thrown);
      }
    },
    all(sql, parameters = NONE) {
      try {
        return prepared(sql).all(parameters);
      } catch (thrown) {
        throw faultOf(thrown);
      }
    },
    run(sql, parameters = NONE) {
      try {
        return prepared(sql).run(parameters);
      } catch (thrown) {
        throw faultOf(thrown);
      }
    },
    exec(sql) {
      try {
        database.exec(sql);
      } catch (thrown) {
        throw faultOf(thrown);
      }
    },
    get inTransaction() {
      return database.isTransaction;
    },
    close() {
      if (!database.isOpen) return;
      prepared.clear();
      // The library frees a connection only when its statements are garbage-collected; its pages are freed here.
      database.exec('PRAGMA shrink_memory');
      database.close();
    },
  };
}

function statementCache(database: DatabaseSyncInstance) {
  const statements = new Map<string, SqliteStatement>();
  const prepared = (sql: string): SqliteStatement => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = sqliteStatement(database.prepare(withStablePlan(sql)));
      if (statements.size === STATEMENTS_MAX) statements.clear();
      statements.set(sql, statement);
    }
    return statement;
  };
  return Object.assign(prepared, { clear: () => statements.clear() });
}

/**
 * SQLite compiles a statement anew each time that a bare parameter of LIMIT is bound, in case the number leads to a
 * better plan, and that takes as long as reading a page. It leaves a parameter within an expression alone.
 */
function withStablePlan(sql: string): string {
  return sql.replaceAll(/\bLIMIT \?/g, 'LIMIT ? + 0');
}
