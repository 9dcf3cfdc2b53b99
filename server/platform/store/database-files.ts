import { open, type FileHandle } from 'node:fs/promises';
import { PRIVATE_FILE } from '../../../protocol/system/private-mode.ts';

const CHUNK_BYTES = 2 ** 20;
// The disk writes what is copied while more of it is read. When a large file is written in full first, the last sync
// waits for all of it, and the writes themselves wait whenever the file system commits its own journal.
const SYNC_EVERY_BYTES = 16 * 2 ** 20;

/** The files of an open database: the main file and its write-ahead log. */
interface DatabaseFiles {
  /**
   * Copies both. Nothing may write to the database meanwhile. The copies are durable only once they are synced.
   * @param target path of the main file; that of the log follows from it
   * @param options.ephemeral whether the copy does not outlive the process, so that nothing is synced
   */
  copyTo(target: string, options: { ephemeral: boolean }): Promise<void>;
  /** The number of the main file, to sync it. */
  readonly mainFile: number;
  /** Closes them. To be called when the database is closed. */
  close(): Promise<void>;
}

/**
 * Opens the files of a database for copies. They stay open as long as the database: closing a file drops the locks that
 * the process has on it (https://sqlite.org/howtocorrupt.html §2.2).
 */
export async function openDatabaseFiles(path: string): Promise<DatabaseFiles> {
  const [main, log] = await Promise.all([open(path, 'r+'), open(`${path}-wal`, 'r')]);
  return {
    mainFile: main.fd,
    async copyTo(target, { ephemeral }) {
      const syncEveryBytes = ephemeral ? Infinity : SYNC_EVERY_BYTES;
      await Promise.all([copy(main, target, syncEveryBytes), copy(log, `${target}-wal`, syncEveryBytes)]);
    },
    async close() {
      await Promise.all([main.close(), log.close()]);
    },
  };
}

async function copy(source: FileHandle, target: string, syncEveryBytes: number): Promise<void> {
  const written = await open(target, 'w', PRIVATE_FILE);
  let syncing: Promise<void> | undefined;
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let syncedTo = 0;
    for (let position = 0; ;) {
      const { bytesRead } = await source.read(chunk, 0, CHUNK_BYTES, position);
      if (bytesRead === 0) break;
      await written.write(chunk, 0, bytesRead, position);
      position += bytesRead;
      if (position - syncedTo < syncEveryBytes) continue;
      await syncing;
      syncing = written.datasync();
      // A failure is thrown where it is awaited; until then it must not count as unhandled.
      syncing.catch(() => undefined);
      syncedTo = position;
    }
    await syncing;
  } finally {
    await syncing?.catch(() => undefined);
    await written.close();
  }
}
