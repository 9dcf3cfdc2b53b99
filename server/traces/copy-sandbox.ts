import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../protocol/system/remove-folder.ts';
import type { Services } from '../platform/services.ts';
import type { Queries, Store } from '../platform/store/store.ts';
import type { SnapshotHeader } from '../sandboxes/snapshots/snapshot-format.schema.ts';
import { snapshotHeaderOf, snapshotLines } from '../sandboxes/snapshots/write-snapshot.ts';
import { TABLES_WITHOUT_ROWS } from './mask-snapshot.ts';

interface CopyParts<T> {
  /**
   * Called at the moment of the copy, between two changes, with the simulated terminals as exported. PostgreSQL may undo
   * the copy and make it again, at a later moment.
   */
  atCopy?(terminals: unknown): void;
  /** Takes the lines of the snapshot but for its end, some at a time. */
  take(lines: AsyncIterable<unknown[]>): Promise<T>;
}

/** Copies a sandbox, and returns what `take` makes of the lines of its snapshot. */
export async function copySandbox<T>(services: Services, parts: CopyParts<T>): Promise<T> {
  await services.faults?.storeCounts();
  return services.store.copyTo
    ? copyFile(services, services.store.copyTo, parts)
    : readCopy(services, services.store, parts);
}

/** Reads the lines from a copy of the file, on which nothing else works. */
async function copyFile<T>(
  services: Services,
  copyTo: NonNullable<Store['copyTo']>,
  { atCopy, take }: CopyParts<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tapbench-recording-'));
  try {
    const path = join(folder, 'store.db');
    let terminals: unknown;
    let header: SnapshotHeader | undefined;
    await copyTo(path, async () => {
      terminals = await services.program.exportTerminals();
      header = snapshotHeaderOf(services);
      atCopy?.(terminals);
    });
    const { openSqlite } = await import('../platform/store/sqlite.ts');
    const queries = await openSqlite({ path, log: services.log, sync: 'never' });
    try {
      return await take(linesOf({ header: header!, queries, engine: 'sqlite', terminals }));
    } finally {
      await queries.close();
    }
  } finally {
    await removeFolder(folder);
  }
}

/** Reads the lines in a transaction, which sees one moment of the database and changes nothing. */
async function readCopy<T>(services: Services, store: Store, { atCopy, take }: CopyParts<T>): Promise<T> {
  const terminals = await services.program.exportTerminals();
  return store.transaction(
    async (queries) => {
      await queries.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      await queries.run('SET LOCAL statement_timeout = 0');
      await queries.run('SET LOCAL idle_in_transaction_session_timeout = 0');
      // The first query decides the moment.
      atCopy?.(terminals);
      return take(linesOf({ header: snapshotHeaderOf(services), queries, engine: store.engine, terminals }));
    },
    { serializable: 'oneInstant' },
  );
}

interface CopiedContent {
  header: SnapshotHeader;
  queries: Queries;
  engine: Store['engine'];
  terminals: unknown;
}

function linesOf(content: CopiedContent): AsyncGenerator<unknown[]> {
  return snapshotLines({ ...content, withoutRowsOf: TABLES_WITHOUT_ROWS });
}
