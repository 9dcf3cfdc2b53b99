import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Services } from '../platform/services.ts';
import type { SnapshotHeader } from '../sandboxes/snapshots/snapshot-format.schema.ts';
import { snapshotHeaderOf } from '../sandboxes/snapshots/snapshot-header.ts';
import { snapshotLines } from '../sandboxes/snapshots/write-snapshot.ts';

/**
 * Returns the lines of a snapshot of a sandbox but for its end.
 * @param atCopy called at the moment of the copy, between two changes
 */
export async function copySandbox(services: Services, atCopy: () => void): Promise<unknown[]> {
  const { store, exportTerminals, faults } = services;
  await faults?.storeCounts();
  if (!store.copyTo) {
    const terminals = await exportTerminals?.();
    return store.transaction(async (queries) => {
      atCopy();
      const content = { header: snapshotHeaderOf(services), queries, engine: store.engine, terminals };
      return collected(snapshotLines(content));
    });
  }
  const folder = await mkdtemp(join(tmpdir(), 'tapbench-recording-'));
  try {
    const path = join(folder, 'store.db');
    let terminals: unknown;
    let header: SnapshotHeader | undefined;
    await store.copyTo(path, async () => {
      terminals = await exportTerminals?.();
      header = snapshotHeaderOf(services);
      atCopy();
    });
    const { openSqlite } = await import('../platform/store/sqlite.ts');
    const queries = await openSqlite({ path, log: services.log, sync: 'never' });
    try {
      const content = { header: header!, queries, engine: store.engine, terminals };
      return await collected(snapshotLines(content));
    } finally {
      await queries.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function collected(lines: AsyncIterable<unknown[]>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const some of lines) all.push(...some);
  return all;
}
