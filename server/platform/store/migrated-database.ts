import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../../../protocol/log.ts';
import { migrate } from './migrations/migrate.ts';

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
    rmSync(folder, { recursive: true, force: true });
  }
}
