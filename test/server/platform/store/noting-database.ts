import type { SqliteConnection } from '../../../../server/platform/store/sqlite-connection.ts';

/** Creates a connection that only notes the statements that it is given. */
export function notingDatabase() {
  const statements: string[] = [];
  let inTransaction = false;
  const connection: SqliteConnection = {
    get: () => undefined,
    all: () => [],
    run(sql) {
      statements.push(sql);
      if (sql.startsWith('BEGIN')) inTransaction = true;
      if (sql === 'COMMIT' || sql === 'ROLLBACK') inTransaction = false;
      return { changes: 1 };
    },
    exec: (sql) => void statements.push(sql),
    get inTransaction() {
      return inTransaction;
    },
    close: () => {},
  };
  const commits = () => statements.filter((sql) => sql === 'COMMIT').length;
  return { connection, commits, statements };
}
