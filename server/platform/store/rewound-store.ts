import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import { fillDatabase } from './fill-database.ts';
import { createGroupCommit } from './group-commit.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import type { Row, SqlValue, Store, Written } from './store.ts';
import { isReadOnly } from './transaction.ts';

/**
 * Opens a store on a connection, inside one transaction that is never committed. A group of its transactions is a savepoint.
 * @param onClose called when the store is closed, with whether the transaction can still be rolled back
 */
export function storeInside(
  connection: SqliteConnection,
  log: Log,
  onClose: (isUsable: boolean) => void,
): Store {
  connection.run('BEGIN IMMEDIATE');
  const savepoints = savepointsOf(connection);
  const { transaction, trouble, between, close } = createGroupCommit({
    connection: savepoints.connection,
    log,
    sync: undefined,
    beforeCommit: () => {},
  });
  let isCopied = false;
  let isClosed = false;

  /** Calls `read` at once when nothing is uncommitted, else when it is committed or undone. */
  async function committed<T>(read: () => T): Promise<T> {
    const ended = savepoints.ended();
    if (ended) await ended;
    if (isClosed) throw new Fault('store', 'the store is closed');
    return read();
  }

  return {
    engine: 'sqlite',
    trouble,
    async get<R extends Row>(sql: string, ...parameters: SqlValue[]) {
      if (!isReadOnly(sql)) return transaction((tx) => tx.get<R>(sql, ...parameters));
      return committed(() => connection.get(sql, parameters) as R | undefined);
    },
    async all<R extends Row>(sql: string, ...parameters: SqlValue[]) {
      if (!isReadOnly(sql)) return transaction((tx) => tx.all<R>(sql, ...parameters));
      return committed(() => connection.all(sql, parameters) as R[]);
    },
    run: (sql, ...parameters) => transaction((tx) => tx.run(sql, ...parameters)),
    transaction,
    async copyTo(target, before) {
      await between(async () => {
        await before?.();
        isCopied = true;
        writeCopy(connection, target);
      });
      await fillDatabase({ path: target, ephemeral: true, log });
    },
    async close() {
      await close();
      if (!isClosed) onClose(!isCopied && connection.inTransaction);
      isClosed = true;
    },
  };
}

/** Writes the rows to a file. What happened before can then not be rolled back any more. */
function writeCopy(connection: SqliteConnection, path: string): void {
  try {
    connection.run('COMMIT');
    connection.run('VACUUM INTO ?', [path]);
  } catch (thrown) {
    throw new Fault('store', `a copy cannot be written: ${messageOf(thrown)}`, { cause: thrown });
  } finally {
    connection.run('BEGIN IMMEDIATE');
  }
}

const SAVEPOINTS: Record<string, readonly string[]> = {
  'BEGIN IMMEDIATE': ['SAVEPOINT whole'],
  COMMIT: ['RELEASE whole'],
  ROLLBACK: ['ROLLBACK TO whole', 'RELEASE whole'],
};

/** Makes savepoints of the transactions of a connection, which is inside one. */
function savepointsOf(connection: SqliteConnection) {
  let ended: Promise<void> | undefined;
  let end = () => {};

  function run(sql: string, parameters?: readonly SqlValue[]): Written {
    const control = SAVEPOINTS[sql];
    if (!control) return connection.run(sql, parameters);
    for (const statement of control) connection.run(statement);
    if (sql === 'BEGIN IMMEDIATE') ended = new Promise((resolve) => (end = resolve));
    else {
      ended = undefined;
      end();
    }
    return { changes: 0 };
  }

  return {
    connection: {
      ...connection,
      run,
      get inTransaction() {
        return ended !== undefined && connection.inTransaction;
      },
    } satisfies SqliteConnection,
    /** Resolves when no savepoint is open; undefined when none is. */
    ended: () => ended && inOneTurn(ended),
  };
}

/** Bodies run within one turn of the event loop. One that waits for a read outside of its transaction would never end. */
function inOneTurn(ended: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const tooLong = setImmediate(() =>
      reject(new Fault('internal', 'a transaction body waits for a query outside of it')),
    );
    void ended.then(() => {
      clearImmediate(tooLong);
      resolve();
    });
  });
}
