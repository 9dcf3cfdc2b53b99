import { open, type FileHandle } from 'node:fs/promises';

const CHUNK_BYTES = 2 ** 20;

/** The files of an open database: the main file and its write-ahead log. */
export interface DatabaseFiles {
  /**
   * Copies both into files that are not synced. Nothing may write to the database meanwhile.
   * @param target path of the main file; that of the log follows from it
   */
  copyTo(target: string): Promise<void>;
  /** Closes them. To be called when the database is closed. */
  close(): Promise<void>;
}

/**
 * Opens the files of a database for copies. They stay open as long as the database: closing a file drops the locks that
 * the process has on it (https://sqlite.org/howtocorrupt.html §2.2).
 */
export async function openDatabaseFiles(path: string): Promise<DatabaseFiles> {
  const [main, log] = await Promise.all([open(path, 'r'), open(`${path}-wal`, 'r')]);
  return {
    async copyTo(target) {
      await Promise.all([copy(main, target), copy(log, `${target}-wal`)]);
    },
    async close() {
      await Promise.all([main.close(), log.close()]);
    },
  };
}

async function copy(source: FileHandle, target: string): Promise<void> {
  const written = await open(target, 'w', 0o600);
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let position = 0; ;) {
      const { bytesRead } = await source.read(chunk, 0, CHUNK_BYTES, position);
      if (bytesRead === 0) return;
      await written.write(chunk, 0, bytesRead, position);
      position += bytesRead;
    }
  } finally {
    await written.close();
  }
}
