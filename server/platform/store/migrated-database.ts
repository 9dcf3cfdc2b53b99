import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import type { Log } from '../../../protocol/log.ts';
import { PRIVATE_FILE } from '../../../protocol/system/private-mode.ts';
import { removeFolder } from '../../../protocol/system/remove-folder.ts';
import { migrate } from './migrations/migrate.ts';
import {
  fillDatabase,
  ROLLBACK_JOURNAL,
  VERSIONS_OFFSET,
  WRITE_AHEAD_LOG,
  type Fill,
  type NewDatabaseParts,
} from './fill-database.ts';

/**
 * Returns the bytes of a SQLite file with all tables and no rows. It is made once in a process, so that of many stores
 * in memory, such as those of test worlds, only the first runs the migrations.
 * @throws Fault `store` when the file cannot be made.
 */
export const migratedDatabase = madeOnce(migrateNewFile);

/** Returns a function that calls `make` once, also for callers at the same time, and again after a failure. */
export function madeOnce<Made>(make: (log: Log) => Promise<Made>): (log: Log) => Promise<Made> {
  let made: Promise<Made> | undefined;
  return (log) => {
    made ??= make(log).catch((thrown: unknown) => {
      made = undefined;
      throw thrown;
    });
    return made;
  };
}

async function migrateNewFile(log: Log): Promise<Uint8Array> {
  const { openSqlite } = await import('./sqlite.ts');
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-'));
  const path = join(folder, 'migrated.db');
  try {
    const store = await openSqlite({ path, log, sync: 'never' });
    try {
      await migrate(store, log);
    } finally {
      // Writes what is in the write-ahead log into the file.
      await store.close();
    }
    return readFileSync(path);
  } finally {
    await removeFolder(folder);
  }
}

/**
 * Writes a SQLite file with all tables and the rows of `fill`, as `fillDatabase` does; without rows unless it is given.
 * @throws Fault `store` when it cannot be written, and what `fill` throws
 */
export async function writeDatabase(parts: NewDatabaseParts, fill?: Fill): Promise<void> {
  const content = Buffer.from(await migratedDatabase(parts.log));
  // Without a log of its own while it is filled.
  content.set(fill ? ROLLBACK_JOURNAL : WRITE_AHEAD_LOG, VERSIONS_OFFSET);
  await writeFile(parts.path, content, { mode: PRIVATE_FILE, flush: !fill && !parts.ephemeral });
  if (fill) await fillDatabase(parts, fill);
}
