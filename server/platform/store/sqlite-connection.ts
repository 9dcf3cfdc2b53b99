import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import { RefusedValue, UniqueViolation, type Row, type SqlValue, type Written } from './store.ts';
import { sqliteStatement, type SqliteStatement } from './sqlite-statement.ts';

// Extended result codes, https://sqlite.org/rescode.html.
export const SQLITE_BUSY = 5;
const UNIQUE_CODES = [1555, 2067, 2579]; // SQLITE_CONSTRAINT_PRIMARYKEY, _UNIQUE and _ROWID
const REFUSED_CODES = [19, 20]; // SQLITE_CONSTRAINT, SQLITE_MISMATCH

/** What the store throws for an error of SQLite: UniqueViolation or Fault `store`. Other errors stay as they are. */
function translate(thrown: unknown): unknown {
  const code = sqliteErrorCode(thrown);
  if (code === undefined) return thrown; // not the engine: a value of a type that it does not know
  if (UNIQUE_CODES.includes(code)) return new UniqueViolation(messageOf(thrown), { cause: thrown });
  // SQLite's messages name tables and columns, never values.
  const message = `SQLite ${code}: ${messageOf(thrown)}`;
  if (REFUSED_CODES.includes(code & 0xff)) return new RefusedValue(message, { cause: thrown });
  return new Fault('store', message, { cause: thrown });
}

/** The extended result code of an error of SQLite; undefined for any other. */
export function sqliteErrorCode(thrown: unknown): number | undefined {
  const code = thrown instanceof Error && 'errcode' in thrown ? thrown.errcode : undefined;
  return typeof code === 'number' ? code : undefined;
}

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
