import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../protocol/log.ts';
import { PRIVATE_FOLDER } from '../../protocol/system/private-mode.ts';
import { removeFolder } from '../../protocol/system/remove-folder.ts';
import { releaseAllClaims } from '../platform/scheduler/claim-lease.records.ts';
import { isMigrated, migrate, MIGRATIONS } from '../platform/store/migrations/migrate.ts';
import { copyRows, createSchema, schemaOfStore } from '../platform/store/postgres-schema.ts';
import { quoted } from '../platform/store/postgres-connections.ts';
import { openSchemas, withDatabaseLock } from '../platform/store/postgres.ts';
import type { Queries, Transaction } from '../platform/store/store.ts';
import { saveAsleep, takeAsleep } from './asleep-terminals.ts';
import { refusingWhenDeleted } from './deleted-elsewhere.ts';
import { createFolderRemovals } from './folder-removals.ts';
import type { SandboxRecord } from './sandbox-record.schema.ts';
import {
  countOf,
  countOpening,
  insertRecord,
  ITS_ROW,
  itsRow,
  readRecords,
  revisionOf,
  terminalsOf,
  updateFacts,
  updateUse,
} from './sandbox-record.records.ts';
import type { SandboxStorage } from './sandbox-storage.ts';
import { createSchemaPool, POOL_TABLE, type SchemaPool } from './schema-pool.ts';
import { createPostgresSnapshots, SNAPSHOT_TABLES } from './snapshots/postgres-snapshots.ts';
import { restoreRows, type RestoredSnapshot } from './snapshots/restore-rows.ts';

const JOURNALS = 'terminals';

// Beside the tables of the sandbox `default`, and not copied with them.
const RECORDS_TABLE = `CREATE TABLE IF NOT EXISTS sandboxes (
  seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  facts TEXT NOT NULL,
  keys TEXT NOT NULL,
  used_ms BIGINT NOT NULL,
  opens BIGINT NOT NULL,
  terminals TEXT
)`;

export interface PostgresStorageOptions {
  /** The database of the sandbox `default`. */
  url: string;
  /** Holds the journals of the terminals that this server simulates. */
  folder: string;
  /** Schemas that are kept ready for new sandboxes; none unless given. */
  poolSize?: number | undefined;
  /** Connections that all sandboxes share, at most. */
  connectionsMax?: number | undefined;
  log: Log;
}

/**
 * Keeps each sandbox in a schema of a PostgreSQL database, named in its record, and the record in a table
 * beside those of `default`. A schema and its record come and go in one transaction. Other servers on the database have
 * the same sandboxes. All share connections.
 * @throws Fault `bad_setting` for an invalid URL
 */
export function createPostgresStorage({
  url,
  folder,
  poolSize = 0,
  connectionsMax,
  log,
}: PostgresStorageOptions): SandboxStorage {
  const schemas = openSchemas({ url, log, connectionsMax });
  const records = schemas.store();
  const pool = createSchemaPool({ records, size: poolSize, log });
  const removals = createFolderRemovals(log);
  const folderOf = (record: SandboxRecord) => join(folder, `${record.name}-${record.createdMs}`);

  const journalFolder = (record: SandboxRecord) => join(folderOf(record), JOURNALS);

  return {
    async list() {
      await withDatabaseLock(url, () => createRecordTables(records));
      const listed = await readRecords(records);
      await removeOtherFolders(folder, listed.map(folderOf));
      void pool.fill();
      return listed;
    },

    read: async () => ((await hasRecords(records)) ? readRecords(records) : []),

    async create(record, { source, exportTerminals, snapshot, prepare } = {}) {
      // Before the snapshot of the store: a terminal that reported in between repeats its report in the fork, and the
      // server repeats the actions that a terminal does not know.
      const terminals = await exportTerminals?.();
      record.schema = newSchemaOf(record);
      const from = source && (await schemaOfStore(source));
      const home = snapshot && (await schemaOfStore(records));
      await records.transaction(async (tx) => {
        // A fork is made of a snapshot of the source, whose own transactions never wait for it or fail because of it.
        await tx.run(
          `SET TRANSACTION ISOLATION LEVEL ${from === undefined ? 'READ COMMITTED' : 'REPEATABLE READ'}`,
        );
        await tx.run('SET LOCAL statement_timeout = 0');
        await insertRecord(tx, record, terminals);
        await createTables(tx, pool, schemaOf(record), snapshot?.header.migration);
        if (from !== undefined) await copyFrom(tx, from);
        if (snapshot) await restoreInto(tx, `${quoted(home!)}.sandboxes`, record, snapshot);
        await prepare?.(tx);
      });
      void pool.fill();
    },

    countOpen: (record) => countOpening(records, record),

    readTerminals: (record) => terminalsOf(records, record),
    saveUse: (record) => updateUse(records, record),
    saveSettings: (record) => updateFacts(records, record),

    async open(record, onDeleted) {
      await mkdir(journalFolder(record), { recursive: true, mode: PRIVATE_FOLDER });
      const inSchema = schemas.store(schemaOf(record));
      const store = refusingWhenDeleted(inSchema, records, record, onDeleted);
      const ownLog = log.child({ sandbox: record.name });
      if (!(await isMigrated(store))) await withDatabaseLock(url, () => migrate(store, ownLog));
      return store;
    },

    saveAsleep: (record, terminals) => saveAsleep(folderOf(record), terminals),
    takeAsleep: (record) => takeAsleep(folderOf(record)),

    async remove(record) {
      await records.transaction((tx) => deleteSandbox(tx, pool, record));
      void pool.fill();
      removals.add(folderOf(record));
    },

    snapshots: createPostgresSnapshots({ records, folder }),

    journalFolder,

    shared: { revision: () => revisionOf(records), count: () => countOf(records) },

    async close() {
      await removals.ended();
      await pool.stop();
      await records.close();
      await schemas.close();
    },
  };
}

function schemaOf({
  name,
  schema = `sandbox_${name}`,
}: {
  name: string;
  schema?: string | undefined;
}): string {
  return schema;
}

/**
 * Returns the name of the schema of a new sandbox. A later one of the same name has another, so that a server that has not
 * heard of it yet cannot take it for the one before.
 */
function newSchemaOf({ name, createdMs }: SandboxRecord): string {
  return `sandbox_${name}_${createdMs.toString(36)}`;
}

async function createRecordTables(queries: Queries): Promise<void> {
  for (const table of [RECORDS_TABLE, ...POOL_TABLE, ...SNAPSHOT_TABLES]) await queries.run(table);
  await queries.run('ALTER TABLE sandboxes ADD COLUMN IF NOT EXISTS wake_ms BIGINT');
}

async function deleteSandbox(tx: Transaction, pool: SchemaPool, record: SandboxRecord): Promise<void> {
  const row = await tx.get<{ schema: string | null }>(
    `DELETE FROM sandboxes WHERE ${ITS_ROW} RETURNING CAST(facts AS JSON) ->> 'schema' AS schema`,
    ...itsRow(record),
  );
  // Else another server has deleted it.
  if (row) await pool.give(tx, schemaOf({ ...record, schema: row.schema ?? undefined }));
}

/** Returns whether a server has had sandboxes in the database. */
async function hasRecords(queries: Queries): Promise<boolean> {
  const row = await queries.get<{ name: string | null }>(`SELECT to_regclass('sandboxes')::text AS name`);
  return row!.name !== null;
}

/** Creates a schema with the tables of a migration, by default the last, and no rows. */
async function createTables(
  tx: Transaction,
  pool: SchemaPool,
  schema: string,
  migration = MIGRATIONS.length,
): Promise<void> {
  if (migration === MIGRATIONS.length && (await pool.take(tx, schema))) return;
  await createSchema(tx, schema, migration);
}

/** Copies the rows of the schema `from` into the tables that the transaction sees by their names alone. */
async function copyFrom(tx: Transaction, from: string): Promise<void> {
  await copyRows(tx, from);
  await releaseAllClaims(tx);
}

/**
 * Restores a snapshot into the tables that the transaction sees by their names alone.
 * @param sandboxes the table of the records, with its schema
 */
async function restoreInto(
  tx: Transaction,
  sandboxes: string,
  { name }: SandboxRecord,
  snapshot: RestoredSnapshot,
): Promise<void> {
  await tx.run('SET LOCAL idle_in_transaction_session_timeout = 0');
  const terminals = await restoreRows(snapshot, 'postgres', (body) => body(tx));
  if (terminals === undefined) return;
  await tx.run(`UPDATE ${sandboxes} SET terminals = ? WHERE name = ?`, JSON.stringify(terminals), name);
}

/** Deletes the folders of sandboxes that were deleted while this server did not run. */
async function removeOtherFolders(folder: string, wanted: string[]): Promise<void> {
  if (!existsSync(folder)) return;
  const paths = (await readdir(folder)).map((name) => join(folder, name));
  for (const path of paths) if (!wanted.includes(path)) await removeFolder(path);
}
