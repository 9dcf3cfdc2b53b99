import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../../../protocol/log.ts';
import { PRIVATE_FILE } from '../../../protocol/system/private-mode.ts';
import { removeOpenFolder } from '../../../protocol/system/remove-folder.ts';
import { ROLLBACK_JOURNAL, VERSIONS_OFFSET } from './fill-database.ts';
import { storeInside } from './rewound-store.ts';
import { connect, type SqliteConnection } from './sqlite-connection.ts';
import type { Store } from './store.ts';

// Each keeps the pages of a whole database in memory.
const FREE_MAX = 4;

/** Stores that all begin with the same rows and end with the process, such as those of the forks of one world. */
export interface RewoundStores {
  /** Opens a store that begins with the rows. @throws Fault `store` when its file cannot be written */
  open(log: Log): Store;
  /** Closes the connections that no store uses. Those in use are closed with their stores. */
  close(): void;
}

/**
 * Opens stores on connections that earlier ones have used. Everything that a store does is one transaction of its connection,
 * which is rolled back when the store is closed. So nothing is written to a file, and the statements that the
 * connection has compiled stay.
 * @param file bytes of a SQLite file
 */
export function createRewoundStores(file: Uint8Array): RewoundStores {
  let free: SqliteConnection[] = [];
  let isClosed = false;

  function giveBack(connection: SqliteConnection, isUsable: boolean): void {
    if (!isUsable || isClosed || free.length >= FREE_MAX) return connection.close();
    connection.run('ROLLBACK');
    free.push(connection);
  }

  return {
    open(log) {
      const connection = free.pop() ?? openFile(file);
      return storeInside(connection, log, (isUsable) => giveBack(connection, isUsable));
    },
    close() {
      isClosed = true;
      for (const connection of free) connection.close();
      free = [];
    },
  };
}

/** Opens a file with these bytes that nothing else opens. */
function openFile(file: Uint8Array): SqliteConnection {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-'));
  const path = join(folder, 'store.db');
  const content = Buffer.from(file);
  content.set(ROLLBACK_JOURNAL, VERSIONS_OFFSET);
  writeFileSync(path, content, { mode: PRIVATE_FILE });
  const connection = connect(path);
  connection.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY');
  connection.exec('PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY');
  const removeFolder = removeOpenFolder(folder);
  return {
    ...connection,
    get inTransaction() {
      return connection.inTransaction;
    },
    close() {
      connection.close();
      void removeFolder();
    },
  };
}
