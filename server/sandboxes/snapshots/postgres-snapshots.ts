import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Fault } from '../../../protocol/failures.ts';
import { DEFAULT_SANDBOX } from '../../../protocol/topics.ts';
import { quoted } from '../../platform/store/postgres-connections.ts';
import { schemaOfStore } from '../../platform/store/postgres-schema.ts';
import type { Row, Store, Transaction } from '../../platform/store/store.ts';
import { LimitedBytes, receiveFile } from './received-file.ts';
import type { SnapshotSource, SnapshotStorage, StoredSnapshot } from './snapshot-storage.ts';
import { writeSnapshot } from './write-snapshot.ts';

/** Tables beside those of the sandbox `default`. A snapshot is deleted with its sandbox, its parts with it. */
export const SNAPSHOT_TABLES: readonly string[] = [
  // The sandbox is null for `default`.
  `CREATE TABLE IF NOT EXISTS sandbox_snapshots (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    sandbox TEXT REFERENCES sandboxes (name) ON DELETE CASCADE,
    created_ms BIGINT NOT NULL,
    clock_ms BIGINT NOT NULL,
    bytes BIGINT NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS sandbox_snapshot_parts (
    snapshot_id TEXT NOT NULL REFERENCES sandbox_snapshots (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    content BYTEA NOT NULL,
    PRIMARY KEY (snapshot_id, number)
  )`,
];

interface SnapshotRow extends Row {
  id: string;
  sandbox: string | null;
  created_ms: number;
  clock_ms: number;
  bytes: number;
}

interface PostgresSnapshotsParts {
  /** Store of the schema with the tables of snapshots. */
  records: Store;
  /** Holds files while they are restored. */
  folder: string;
}

/** Keeps snapshots in a PostgreSQL database, so that all servers on it have the same. */
export function createPostgresSnapshots({ records, folder }: PostgresSnapshotsParts): SnapshotStorage {
  return {
    async list() {
      const rows = await records.all<SnapshotRow>(`${SELECT} ORDER BY seq`);
      return rows.map(toSnapshot);
    },
    async find(id) {
      const row = await records.get<SnapshotRow>(`${SELECT} WHERE id = ?`, id);
      return row && toSnapshot(row);
    },
    async create(id, source, bytesMax) {
      const home = quoted(await schemaOfStore(records));
      const schema = quoted(await schemaOfStore(source.store));
      // Before the snapshot of the store, as for a fork.
      const terminals = await source.exportTerminals?.();
      return records.transaction(async (tx) => {
        await tx.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
        await tx.run('SET LOCAL statement_timeout = 0');
        await tx.run('SET LOCAL idle_in_transaction_session_timeout = 0');
        await tx.run(`SET LOCAL search_path TO ${schema}`);
        return insertSnapshot(tx, { id, source, home, terminals, bytesMax });
      });
    },
    open: ({ id }) => Readable.from(partsOf(records, id), { objectMode: false }),
    remove: async ({ id }) => void (await records.run('DELETE FROM sandbox_snapshots WHERE id = ?', id)),
    receive: (id, content, bytesMax) => receiveFile(join(folder, id), content, bytesMax),
  };
}

const SELECT = 'SELECT id, sandbox, created_ms, clock_ms, bytes FROM sandbox_snapshots';

function toSnapshot({ id, sandbox, created_ms: createdMs, clock_ms: clockMs, bytes }: SnapshotRow) {
  return { id, sandbox: sandbox ?? DEFAULT_SANDBOX, createdMs, clockMs, bytes };
}

interface NewSnapshot {
  id: string;
  source: SnapshotSource;
  /** Schema of the tables of snapshots. */
  home: string;
  terminals: unknown;
  bytesMax: number;
}

/** Writes a snapshot of the tables that the transaction sees by their names alone. */
async function insertSnapshot(
  tx: Transaction,
  { id, source, home, terminals, bytesMax }: NewSnapshot,
): Promise<StoredSnapshot> {
  const header = source.header();
  const { createdMs, clockMs } = header;
  await tx.run(
    `INSERT INTO ${home}.sandbox_snapshots (id, sandbox, created_ms, clock_ms, bytes) VALUES (?, ?, ?, ?, 0)`,
    id,
    source.name === DEFAULT_SANDBOX ? null : source.name,
    createdMs,
    clockMs,
  );
  let bytes = 0;
  await pipeline(
    writeSnapshot({ header, queries: tx, engine: 'postgres', terminals }),
    new LimitedBytes(bytesMax),
    async (packed: AsyncIterable<Buffer>) => {
      let number = 0;
      for await (const part of packed) {
        bytes += part.length;
        await tx.run(
          `INSERT INTO ${home}.sandbox_snapshot_parts (snapshot_id, number, content)
           VALUES (?, ?, decode(?, 'base64'))`,
          id,
          number++,
          part.toString('base64'),
        );
      }
    },
  );
  await tx.run(`UPDATE ${home}.sandbox_snapshots SET bytes = ? WHERE id = ?`, bytes, id);
  return { id, sandbox: source.name, createdMs, clockMs, bytes };
}

async function* partsOf(records: Store, id: string): AsyncGenerator<Buffer> {
  const { bytes = 0 } = (await records.get<SnapshotRow>(`${SELECT} WHERE id = ?`, id)) ?? {};
  let read = 0;
  for (let number = 0; read < bytes; number += 1) {
    const row = await records.get<{ content: string }>(
      `SELECT encode(content, 'base64') AS content FROM sandbox_snapshot_parts
       WHERE snapshot_id = ? AND number = ?`,
      id,
      number,
    );
    if (!row) throw new Fault('store', 'the snapshot was deleted while it was read');
    const part = Buffer.from(row.content, 'base64');
    read += part.length;
    yield part;
  }
}
