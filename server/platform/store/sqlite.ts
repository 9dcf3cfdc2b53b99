import { closeSync, fdatasync, mkdtempSync, openSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import { PRIVATE_FILE } from '../../../protocol/system/private-mode.ts';
import { removeOpenFolder } from '../../../protocol/system/remove-folder.ts';
import { syncFolder } from '../../../protocol/system/sync-folder.ts';
import { openDatabaseFiles } from './database-files.ts';
import { fillDatabase } from './fill-database.ts';
import { createGroupCommit } from './group-commit.ts';
import { sqliteErrorCode, SQLITE_BUSY, connect, type SqliteConnection } from './sqlite-connection.ts';
import { createSharedSnapshot } from './shared-snapshot.ts';
import type { Row, SqlValue, Store } from './store.ts';
import { isReadOnly } from './transaction.ts';

// Pages of the database in memory, KiB: more than the pages that the current payments of some hundred terminals change.
const CACHE_KIB = 16_384;

export interface SqliteOptions {
  /** A file, or `:memory:` for a private store that is deleted with the process. */
  path: string;
  log: Log;
  /** Flushes an open file to disk; fdatasync(2) unless a test passes another. `never`: the file does not outlive the process. */
  sync?: ((file: number) => Promise<void>) | 'never';
  /** The bytes of a database file, for a `:memory:` store that begins as a copy of it; empty by default. */
  copyOf?: Uint8Array;
}

/**
 * Opens the embedded store. A transaction that has resolved is on disk: SQLite writes its log at each commit and
 * leaves the sync to the store, which runs it on another thread before the transaction resolves. (With `synchronous =
 * FULL` the commit itself would block this thread, and with it every request, for as long as the disk takes.)
 * @throws Fault `store` when the file cannot be opened or is no database.
 */
export async function openSqlite({ path, log, sync = fdatasyncOf, copyOf }: SqliteOptions): Promise<Store> {
  if (path === ':memory:') return openEphemeral(log, copyOf);
  return openFile(path, log, sync === 'never' ? undefined : sync);
}

/**
 * Opens a store that ends with the process. An in-memory database of SQLite either shares dirty reads or locks readers
 * out, so this is a file as well, in a folder of its own; never synced, since it does not outlive the process.
 */
async function openEphemeral(log: Log, copyOf?: Uint8Array): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-'));
  const path = join(folder, 'store.db');
  if (copyOf) writeFileSync(path, copyOf, { mode: PRIVATE_FILE });
  const store = await openFile(path, log, undefined, { isPrivate: true });
  const removeFolder = removeOpenFolder(folder);
  return {
    ...store,
    async close() {
      await store.close();
      await removeFolder();
    },
  };
}

async function openFile(
  path: string,
  log: Log,
  sync: ((file: number) => Promise<void>) | undefined,
  { isPrivate = false } = {},
): Promise<Store> {
  const hasLog = logBytes(path) > 0;
  const writer = openWriter(path, sync ? 'NORMAL' : 'OFF');
  // A connection of its own, so that a read between two statements of a group does not see uncommitted rows.
  const reader = connect(path, { readOnly: true });
  // Opens the files of the write-ahead log too, which may not exist until now: a folder of its own is deleted while they are open.
  for (const connection of [writer, reader]) connection.get('SELECT count(*) FROM sqlite_schema');
  const disk = sync && openLog(path, sync);
  if (disk && hasLog) await keepRecovered(writer, disk.sync);
  if (disk && logBytes(path) === 0) beginLog(writer);
  const files = await openDatabaseFiles(path);
  const snapshot = createSharedSnapshot(reader);
  const commits = createGroupCommit({
    connection: writer,
    log,
    sync: disk?.sync,
    beforeCommit: snapshot.renew,
  });
  const { transaction } = commits;
  let copies = 0;
  return {
    engine: 'sqlite',
    trouble: commits.trouble,
    async get<R extends Row>(sql: string, ...parameters: SqlValue[]) {
      if (!isReadOnly(sql)) return transaction((tx) => tx.get<R>(sql, ...parameters));
      const syncing = commits.readable();
      if (syncing) await syncing;
      return snapshot.connection().get(sql, parameters) as R | undefined;
    },
    async all<R extends Row>(sql: string, ...parameters: SqlValue[]) {
      if (!isReadOnly(sql)) return transaction((tx) => tx.all<R>(sql, ...parameters));
      const syncing = commits.readable();
      if (syncing) await syncing;
      return snapshot.connection().all(sql, parameters) as R[];
    },
    run: (sql, ...parameters) => transaction((tx) => tx.run(sql, ...parameters)),
    transaction,
    async copyTo(target, before) {
      copies += 1;
      await commits
        .between(async () => {
          await before?.();
          await copyUnchanged(writer, () => files.copyTo(target, { ephemeral: !sync }));
        })
        .finally(() => (copies -= 1));
      await fillDatabase({ path: target, ephemeral: !sync, log });
    },
    isBeingCopied: () => copies > 0,
    async close({ isDeleted = false } = {}) {
      await commits.close();
      snapshot.renew();
      reader.close();
      // After a failed sync the file is left as it is: the next start recovers what is on disk.
      if (!isPrivate && !isDeleted && !commits.trouble.current()?.lasting)
        await foldLog(writer, log, disk && { log: disk.sync, main: () => sync(files.mainFile) });
      writer.close();
      disk?.close();
      await files.close();
    },
  };
}

/** Returns how much an earlier process has left in the write-ahead log. */
function logBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/** Copies a database while no other process writes to it either. */
async function copyUnchanged(writer: SqliteConnection, copy: () => Promise<void>): Promise<void> {
  writer.run('BEGIN IMMEDIATE');
  try {
    await copy();
  } catch (thrown) {
    throw new Fault('store', `a copy cannot be written: ${messageOf(thrown)}`, { cause: thrown });
  } finally {
    writer.run('ROLLBACK');
  }
}

const fdatasyncOf = promisify(fdatasync);

/**
 * Opens the write-ahead log, to sync it. SQLite creates the file once and overwrites it after each checkpoint, which
 * it syncs itself (https://sqlite.org/pragma.html#pragma_synchronous, NORMAL).
 */
function openLog(path: string, sync: (file: number) => Promise<void>) {
  const file = openSync(`${path}-wal`, 'r+');
  // So that the name of the log also survives a power failure. The first commit waits for it, the opening does not.
  const named = syncFolder(dirname(path));
  named.catch(() => undefined);
  let isOpen = true;
  return {
    async sync() {
      await Promise.all([sync(file), named]);
    },
    close() {
      // Once: by a second close the number may be that of another file.
      if (isOpen) closeSync(file);
      isOpen = false;
    },
  };
}

/**
 * Makes the log of an earlier process durable before anything is read from it: that process may have ended between a
 * commit and its sync, or because a sync failed. A checkpoint writes the log into the database again and syncs that. A
 * second sync of the same log would not be enough: after a failed sync the system considers the pages written.
 * @throws Fault `store` when the disk still fails.
 */
async function keepRecovered(writer: SqliteConnection, sync: () => Promise<void>): Promise<void> {
  // Another program that reads the file meanwhile leaves part of the checkpoint in the log; that part is synced as it
  // is.
  writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  await sync().catch((thrown: unknown) => {
    throw new Fault('store', `the disk failed to sync: ${messageOf(thrown)}`, { cause: thrown });
  });
}

function openWriter(path: string, synchronous: 'NORMAL' | 'OFF'): SqliteConnection {
  try {
    // Created before SQLite does, readable by its owner only: it holds webhook secrets. The log's files take its mode.
    closeSync(openSync(path, 'a', PRIVATE_FILE));
  } catch (thrown) {
    throw new Fault('store', `the database file cannot be written: ${messageOf(thrown)}`, { cause: thrown });
  }
  const writer = connect(path);
  writer.exec('PRAGMA journal_mode = WAL');
  writer.exec(`PRAGMA synchronous = ${synchronous}`);
  // On macOS a checkpoint would else not flush the cache of the disk, as the syncs of Node do.
  writer.exec('PRAGMA checkpoint_fullfsync = ON');
  writer.exec('PRAGMA foreign_keys = ON');
  writer.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  // What a savepoint needs to undo its changes, a copy of each changed page, would go to a temporary file once it is
  // longer than 64 KiB (https://sqlite.org/compile.html#stmtjrnl_spill).
  writer.exec('PRAGMA temp_store = MEMORY');
  return writer;
}

/**
 * Writes the first frame of an empty log, without a change. SQLite syncs the header of a log with its first frame, in case
 * the disk has older frames behind it, and this thread, with every request, would wait for that. Here are none, and the sync
 * of the first commit writes the header too. On a full disk the first commit begins the log, once there is room.
 */
function beginLog(writer: SqliteConnection): void {
  const { user_version: version } = writer.get('PRAGMA user_version')!;
  writer.exec('PRAGMA synchronous = OFF');
  try {
    writer.exec(`PRAGMA user_version = ${String(version)}`);
  } catch {
    // Nothing is lost.
  } finally {
    writer.exec('PRAGMA synchronous = NORMAL');
  }
}

/** Flushes the files of a store to disk. */
interface DiskSyncs {
  log(): Promise<void>;
  main(): Promise<void>;
}

/**
 * Writes the write-ahead log into the file: the library closes a connection's files only when its statements are
 * garbage-collected. Nothing is lost when that fails: the next start does it. SQLite would wait for the disk on this thread, and
 * with it every request, while sandboxes come and go; so it copies without syncs, between those that are made here.
 * @param disk undefined when no sync is needed
 */
async function foldLog(writer: SqliteConnection, log: Log, disk: DiskSyncs | undefined): Promise<void> {
  try {
    await disk?.log();
    writer.exec('PRAGMA synchronous = OFF');
    const folded = writer.get('PRAGMA wal_checkpoint(PASSIVE)')!;
    // Another program reads the file.
    if (folded['busy'] !== 0 || folded['log'] !== folded['checkpointed']) return;
    await disk?.main();
    writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (thrown) {
    log.warn({ reason: messageOf(thrown) }, 'the write-ahead log could not be folded into the database');
  }
}

/** The library closes a connection that nothing refers to, and its lock would go with it. */
const locked = new Set<SqliteConnection>();

/**
 * Locks a file against every other process, and against this one, with SQLite's exclusive lock, until it is released. The
 * system releases it when the process ends, however it ends. Returns undefined when another process holds it.
 * @throws Fault `store` when the file cannot be opened.
 */
export function lockFile(path: string): { release(): void } | undefined {
  const connection = connect(path, { busyTimeoutMs: 0 });
  try {
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    locked.add(connection);
    return {
      release() {
        locked.delete(connection);
        connection.close();
      },
    };
  } catch (thrown) {
    connection.close();
    if (thrown instanceof Fault && sqliteErrorCode(thrown.cause) === SQLITE_BUSY) return undefined;
    throw thrown;
  }
}
