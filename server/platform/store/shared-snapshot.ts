import type { SqliteConnection } from './sqlite-connection.ts';

/** Reads of a connection that nothing else uses. */
interface SharedSnapshot {
  /** Returns the connection, to be read from at once. */
  connection(): SqliteConnection;
  /** Lets later reads see what was committed since the first read of this turn. */
  renew(): void;
}

/**
 * Gives the reads of one turn of the event loop one read transaction, so that SQLite takes and releases its file locks
 * once for all of them. That costs two system calls for each read otherwise, more than the read itself.
 */
export function createSharedSnapshot(reader: SqliteConnection): SharedSnapshot {
  let open = false;

  function renew(): void {
    if (!open) return;
    open = false;
    if (reader.inTransaction) reader.run('COMMIT');
  }

  return {
    connection() {
      if (!open) {
        reader.run('BEGIN');
        open = true;
        setImmediate(renew);
      }
      return reader;
    },
    renew,
  };
}
