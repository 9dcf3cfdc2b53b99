import { open } from 'node:fs/promises';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import { createGroupCommit } from './group-commit.ts';
import { connect } from './sqlite-connection.ts';
import type { Store, Transaction } from './store.ts';

// Where a SQLite file says whether its changes go to a write-ahead log (https://sqlite.org/fileformat.html §1.3).
export const VERSIONS_OFFSET = 18;
export const WRITE_AHEAD_LOG = Uint8Array.of(2, 2);
export const ROLLBACK_JOURNAL = Uint8Array.of(1, 1);

export type Fill = (tx: Transaction) => Promise<void>;

export interface NewDatabaseParts {
  path: string;
  /** Whether the file does not outlive the process, so that it is not synced. */
  ephemeral?: boolean;
  log: Log;
}

/**
 * Changes a SQLite file that no store has opened yet, in one transaction, after the changes in a log beside it. It is
 * synced once, at the end: until then a power failure may damage it, so it must not be found under its final name.
 * @throws Fault `store` when it cannot be written, and what `fill` throws
 */
export function fillDatabase(parts: NewDatabaseParts, fill: Fill = async () => {}): Promise<void> {
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
    connection.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA foreign_keys = ON');
    const commits = createGroupCommit({ connection, log, sync: undefined, beforeCommit: () => undefined });
    changed = await change(commits.transaction);
  } finally {
    connection.close();
  }
  await endWithLog(path, !ephemeral);
  return changed;
}

/** Writes that changes go to a log, which a store would else do when it first opens the file, with a sync of its own. */
async function endWithLog(path: string, sync: boolean): Promise<void> {
  try {
    const file = await open(path, 'r+');
    try {
      await file.write(WRITE_AHEAD_LOG, 0, WRITE_AHEAD_LOG.length, VERSIONS_OFFSET);
      if (sync) await file.datasync();
    } finally {
      await file.close();
    }
  } catch (thrown) {
    throw new Fault('store', `a database cannot be written: ${messageOf(thrown)}`, { cause: thrown });
  }
}
