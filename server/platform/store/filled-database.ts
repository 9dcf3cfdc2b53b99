import { open, writeFile } from 'node:fs/promises';
import type { Log } from '../../../protocol/log.ts';
import { createGroupCommit } from './group-commit.ts';
import { migratedDatabase } from './migrated-database.ts';
import { connect } from './sqlite-connection.ts';
import type { Store, Transaction } from './store.ts';

// Where a SQLite file says whether its changes go to a write-ahead log (https://sqlite.org/fileformat.html §1.3).
const VERSIONS_OFFSET = 18;
const ROLLBACK_JOURNAL = Uint8Array.of(1, 1);
const WRITE_AHEAD_LOG = Uint8Array.of(2, 2);

type Fill = (tx: Transaction) => Promise<void>;

export interface NewDatabaseParts {
  path: string;
  /** Whether the file does not outlive the process, so that it is not synced. */
  ephemeral?: boolean;
  log: Log;
}

/**
 * Writes a SQLite file with all tables and the rows of `fill`; without rows unless it is given. The file is synced once,
 * at the end: until then a power failure may damage it, so it must not be found under its final name.
 * @throws Fault `store` when it cannot be written, and what `fill` throws
 */
export async function writeDatabase(parts: NewDatabaseParts, fill?: Fill): Promise<void> {
  const content = Buffer.from(await migratedDatabase(parts.log));
  content.set(fill ? ROLLBACK_JOURNAL : WRITE_AHEAD_LOG, VERSIONS_OFFSET);
  await writeFile(parts.path, content, { mode: 0o600, flush: !fill && !parts.ephemeral });
  if (fill) await fillDatabase(parts, fill);
}

/** Changes a SQLite file that no store has opened yet, as `writeDatabase` does. */
export function fillDatabase(parts: NewDatabaseParts, fill: Fill): Promise<void> {
  return changeDatabase(parts, (transaction) => transaction(fill));
}

/** Changes a SQLite file that no store has opened yet, in several transactions, and syncs it once. */
export async function changeDatabase<T>(
  { path, ephemeral, log }: NewDatabaseParts,
  change: (transaction: Store['transaction']) => Promise<T>,
): Promise<T> {
  const connection = connect(path);
  let changed: T;
  try {
    connection.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON');
    const commits = createGroupCommit({ connection, log, sync: undefined, beforeCommit: () => undefined });
    changed = await change(commits.transaction);
  } finally {
    connection.close();
  }
  const file = await open(path, 'r+');
  try {
    // Else the store would write this when it is first opened, with a sync of its own.
    await file.write(WRITE_AHEAD_LOG, 0, WRITE_AHEAD_LOG.length, VERSIONS_OFFSET);
    if (!ephemeral) await file.datasync();
  } finally {
    await file.close();
  }
  return changed;
}
