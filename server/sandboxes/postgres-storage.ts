import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../protocol/log.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { releaseAllClaims } from '../platform/scheduler/claim-lease.records.ts';
import { isMigrated, migrate, MIGRATIONS } from '../platform/store/migrations/migrate.ts';
import { copyRows, createSchema, schemaOfStore } from '../platform/store/postgres-schema.ts';
import { quoted } from '../platform/store/postgres-connections.ts';
import { openSchemas, withDatabaseLock } from '../platform/store/postgres.ts';
import type { Queries, Row, Transaction } from '../platform/store/store.ts';
import { saveAsleep, takeAsleep } from './asleep-terminals.ts';
import { refusingWhenDeleted } from './deleted-elsewhere.ts';
import { parseSandboxRecord, type SandboxRecord } from './sandbox-record.schema.ts';
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

interface RecordRow extends Row {
  name: string;
  facts: string;
  keys: string;
  used_ms: number;
  opens: number;
  wake_ms: number | null;
}

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
 * Keeps each sandbox in a schema of a PostgreSQL database, named by `sandbox_` and its name, and its record in a table
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
      const from = source && (await schemaOfStore(source));
      const home = snapshot && (await schemaOfStore(records));
      await records.transaction(async (tx) => {
        // A fork is made of a snapshot of the source, whose own transactions never wait for it or fail because of it.
        await tx.run(
          `SET TRANSACTION ISOLATION LEVEL ${from === undefined ? 'READ COMMITTED' : 'REPEATABLE READ'}`,
        );
        await tx.run('SET LOCAL statement_timeout = 0');
        await insertRecord(tx, record, terminals);
        await createTables(tx, pool, schemaOf(record.name), snapshot?.header.migration);
        if (from !== undefined) await copyFrom(tx, from);
        if (snapshot) await restoreInto(tx, `${quoted(home!)}.sandboxes`, record, snapshot);
        await prepare?.(tx);
      });
      void pool.fill();
    },

    countOpen: (record) => countOpening(records, record),

    readTerminals: ({ name }) => terminalsOf(records, name),
    saveUse: (record) => updateUse(records, record),
    saveSettings: (record) => updateFacts(records, record),

    async open(record) {
      await mkdir(journalFolder(record), { recursive: true, mode: 0o700 });
      const inSchema = schemas.store(schemaOf(record.name));
      const store = refusingWhenDeleted(inSchema, records, record);
      const ownLog = log.child({ sandbox: record.name });
      if (!(await isMigrated(store))) await withDatabaseLock(url, () => migrate(store, ownLog));
      return store;
    },

    saveAsleep: (record, terminals) => saveAsleep(folderOf(record), terminals),
    takeAsleep: (record) => takeAsleep(folderOf(record)),

    async remove(record) {
      await records.transaction((tx) => deleteSandbox(tx, pool, record));
      void pool.fill();
      await rm(folderOf(record), { recursive: true, force: true });
    },

    snapshots: createPostgresSnapshots({ records, folder }),

    journalFolder,

    shared: { revision: () => revisionOf(records), count: () => countOf(records) },

    async close() {
      await pool.stop();
      await records.close();
      await schemas.close();
    },
  };
}

function schemaOf(name: string): string {
  return `sandbox_${name}`;
}

async function createRecordTables(queries: Queries): Promise<void> {
  for (const table of [RECORDS_TABLE, ...POOL_TABLE, ...SNAPSHOT_TABLES]) await queries.run(table);
  await queries.run('ALTER TABLE sandboxes ADD COLUMN IF NOT EXISTS wake_ms BIGINT');
}

async function insertRecord(queries: Queries, record: SandboxRecord, terminals: unknown): Promise<void> {
  const { keys, wakeMs = null } = record;
  await queries.run(
    'INSERT INTO sandboxes (name, facts, keys, used_ms, opens, terminals, wake_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
    record.name,
    factsOf(record),
    JSON.stringify(keys),
    record.usedMs,
    record.opens,
    terminals === undefined ? null : JSON.stringify(terminals),
    wakeMs,
  );
}

async function deleteSandbox(
  tx: Transaction,
  pool: SchemaPool,
  { name, keys }: SandboxRecord,
): Promise<void> {
  const { changes } = await tx.run(
    'DELETE FROM sandboxes WHERE name = ? AND keys = ?',
    name,
    JSON.stringify(keys),
  );
  // Else another server has deleted it.
  if (changes > 0) await pool.give(tx, schemaOf(name));
}

/** Returns the text of the column `facts`. What changes with the use of a sandbox has columns of its own. */
function factsOf(record: SandboxRecord): string {
  return JSON.stringify({ ...record, keys: undefined, wakeMs: undefined });
}

async function updateFacts(queries: Queries, record: SandboxRecord): Promise<void> {
  const facts = factsOf(record);
  const { changes } = await queries.run('UPDATE sandboxes SET facts = ? WHERE name = ?', facts, record.name);
  if (changes === 0) throw new Refusal('not_found', { what: 'sandbox' });
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

async function readRecords(queries: Queries): Promise<SandboxRecord[]> {
  const rows = await queries.all<RecordRow>(
    'SELECT name, facts, keys, used_ms, opens, wake_ms FROM sandboxes ORDER BY seq',
  );
  return rows.map((row) => ({
    ...parseSandboxRecord(row, `sandbox ${row.name} of DATABASE_URL`),
    usedMs: row.used_ms,
    opens: row.opens,
    ...(row.wake_ms !== null && { wakeMs: row.wake_ms }),
  }));
}

// Every creation takes a number that no other had, and a change of settings changes the facts.
async function revisionOf(queries: Queries): Promise<string> {
  const row = await queries.get<{ revision: string | null }>(
    `SELECT md5(string_agg(seq || md5(facts), ',' ORDER BY seq)) AS revision FROM sandboxes`,
  );
  return row?.revision ?? '';
}

async function countOf(queries: Queries): Promise<number> {
  return (await queries.get<{ count: number }>('SELECT count(*) AS count FROM sandboxes'))!.count;
}

async function terminalsOf(queries: Queries, name: string): Promise<unknown> {
  const row = await queries.get<{ terminals: string | null }>(
    'SELECT terminals FROM sandboxes WHERE name = ?',
    name,
  );
  return row?.terminals ? JSON.parse(row.terminals) : undefined;
}

/** Deletes the folders of sandboxes that were deleted while this server did not run. */
async function removeOtherFolders(folder: string, wanted: string[]): Promise<void> {
  if (!existsSync(folder)) return;
  const paths = (await readdir(folder)).map((name) => join(folder, name));
  for (const path of paths) if (!wanted.includes(path)) await rm(path, { recursive: true, force: true });
}

async function countOpening(queries: Queries, record: SandboxRecord): Promise<SandboxRecord> {
  const { name, usedMs, wakeMs = null } = record;
  const row = await queries.get<{ opens: number }>(
    `UPDATE sandboxes SET opens = opens + 1, used_ms = GREATEST(used_ms, ?), wake_ms = ?
     WHERE name = ? RETURNING opens`,
    usedMs,
    wakeMs,
    name,
  );
  // Another server has deleted it.
  if (!row) throw new Refusal('bad_key');
  return { ...record, opens: row.opens };
}

async function updateUse(queries: Queries, { name, usedMs, wakeMs = null }: SandboxRecord): Promise<void> {
  await queries.run(
    'UPDATE sandboxes SET used_ms = GREATEST(used_ms, ?), wake_ms = ? WHERE name = ?',
    usedMs,
    wakeMs,
    name,
  );
}
