import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { silentLog, type Log } from '../../../protocol/log.ts';
import { isMigrated, MIGRATIONS } from '../../../server/platform/store/migrations/migrate.ts';
import { openSchemas } from '../../../server/platform/store/postgres.ts';
import type { Store } from '../../../server/platform/store/store.ts';
import { createSchemaPool, POOL_TABLE, type SchemaPool } from '../../../server/sandboxes/schema-pool.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

/** A new database with the table of the pool, as servers of a version find it. */
async function newDatabase() {
  const schemas = openSchemas({ url: await server.freshDatabase(), log: silentLog });
  const records = schemas.store();
  onTestFinished(async () => {
    await records.close();
    await schemas.close();
  });
  for (const statement of POOL_TABLE) await records.run(statement);
  const pool = (size: number, log: Log = silentLog) => createSchemaPool({ records, size, log });
  return { schemas, records, pool };
}

/** Returns the names of all schemas but PostgreSQL's own, by their numbers, which a rename does not change. */
async function schemasIn(records: Store): Promise<Map<number, string>> {
  const rows = await records.all<{ oid: number; name: string }>(
    `SELECT oid, nspname AS name FROM pg_namespace WHERE nspname LIKE 'sandbox%' ORDER BY oid`,
  );
  return new Map(rows.map(({ oid, name }) => [oid, name]));
}

const take = (records: Store, pool: SchemaPool, name: string) =>
  records.transaction((tx) => pool.take(tx, name));

test('schema pool: one that is filled has as many schemas as it keeps ready, with all tables', async () => {
  const { schemas, records, pool } = await newDatabase();
  await Promise.all([pool(3).fill(), pool(3).fill()]);
  const names = [...(await schemasIn(records)).values()];
  expect(names).toHaveLength(3);
  for (const name of names) expect(await isMigrated(schemas.store(name))).toBe(true);
});

test('schema pool: those that are taken at the same time are different, and keep their tables under the new names', async () => {
  const { schemas, records, pool } = await newDatabase();
  const [first, second] = [pool(2), pool(2)];
  await first.fill();
  const before = await schemasIn(records);
  const taken = await Promise.all([take(records, first, 'sandbox_a'), take(records, second, 'sandbox_b')]);
  expect([...taken, await take(records, first, 'sandbox_c')]).toEqual([true, true, false]);
  const after = await schemasIn(records);
  expect([...after.keys()]).toEqual([...before.keys()]);
  expect([...after.values()].toSorted()).toEqual(['sandbox_a', 'sandbox_b']);
  expect(await isMigrated(schemas.store('sandbox_a'))).toBe(true);
  await second.fill();
  expect((await schemasIn(records)).size).toBe(4);
});

test('schema pool: one that a transaction took is ready again when that is undone', async () => {
  const { records, pool } = await newDatabase();
  const ready = pool(1);
  await ready.fill();
  const undone = records.transaction(async (tx) => {
    await ready.take(tx, 'sandbox_a');
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await take(records, ready, 'sandbox_b')).toBe(true);
});

test('schema pool: one of an earlier migration is not taken, and deleted when the pool is filled', async () => {
  const { records, pool } = await newDatabase();
  await pool(1).fill();
  const [earlier] = await schemasIn(records);
  await records.run('UPDATE sandbox_schema_pool SET migration = ?', MIGRATIONS.length - 1);
  expect(await take(records, pool(1), 'sandbox_a')).toBe(false);
  await pool(1).fill();
  const after = await schemasIn(records);
  expect([after.size, after.has(earlier![0])]).toEqual([1, false]);
});

test('schema pool: those of a newer migration are left to its servers', async () => {
  const { records, pool } = await newDatabase();
  await pool(1).fill();
  const before = await schemasIn(records);
  await records.run('UPDATE sandbox_schema_pool SET migration = ?', MIGRATIONS.length + 1);
  expect(await take(records, pool(1), 'sandbox_a')).toBe(false);
  await pool(0).fill();
  expect(await schemasIn(records)).toEqual(before);
});

test('schema pool: one that was dropped in the database is not taken, and replaced when the pool is filled', async () => {
  const { records, pool } = await newDatabase();
  await pool(1).fill();
  for (const name of (await schemasIn(records)).values()) await records.run(`DROP SCHEMA ${name} CASCADE`);
  expect(await take(records, pool(1), 'sandbox_a')).toBe(false);
  await pool(1).fill();
  expect(await take(records, pool(1), 'sandbox_a')).toBe(true);
});

const PLAN = `INSERT INTO fault_plans (created_ms, title, seed, faults) VALUES (0, 'x', 'x', '[]') RETURNING seq`;

/** Takes a schema for a sandbox, writes to it and puts it back, as its deletion does. */
async function usedBy(
  { schemas, records }: Awaited<ReturnType<typeof newDatabase>>,
  pool: SchemaPool,
  name: string,
): Promise<Store> {
  await take(records, pool, name);
  const store = schemas.store(name);
  expect(await store.all(PLAN)).toEqual([{ seq: 1 }]);
  await records.transaction((tx) => pool.give(tx, name));
  return store;
}

const rowsOf = async (store: Store) => (await store.all('SELECT seq FROM fault_plans')).length;

test('schema pool: that of a deleted sandbox is emptied, counts from 1 again and is the next that is taken', async () => {
  const database = await newDatabase();
  const { schemas, records } = database;
  const pool = database.pool(1);
  await pool.fill();
  const before = await schemasIn(records);
  await usedBy(database, pool, 'sandbox_a');
  await pool.fill();
  expect(await take(records, pool, 'sandbox_b')).toBe(true);
  const [oid] = [...before.keys()];
  expect([...(await schemasIn(records))]).toEqual([[oid, 'sandbox_b']]);
  const store = schemas.store('sandbox_b');
  expect(await rowsOf(store)).toBe(0);
  expect(await store.all(PLAN)).toEqual([{ seq: 1 }]);
  expect(await isMigrated(store)).toBe(true);
});

test('schema pool: that of a deleted sandbox is emptied by the sandbox that needs it, when none is ready', async () => {
  const database = await newDatabase();
  const { schemas, records } = database;
  const pool = database.pool(1);
  await pool.fill();
  await usedBy(database, pool, 'sandbox_a');
  expect(await take(records, pool, 'sandbox_b')).toBe(true);
  expect(await rowsOf(schemas.store('sandbox_b'))).toBe(0);
  expect(await schemasIn(records)).toHaveProperty('size', 1);
});

test.each(['ready', 'of deleted sandboxes'])(
  'schema pool: of those that are %s, one is taken without waiting for a transaction that has taken another',
  async (which) => {
    const database = await newDatabase();
    const { records } = database;
    const pool = database.pool(2);
    await pool.fill();
    if (which !== 'ready') for (const name of ['sandbox_c', 'sandbox_d']) await usedBy(database, pool, name);
    const taking = (name: string, meanwhile?: () => Promise<boolean>) =>
      records.transaction(async (tx) => [await pool.take(tx, name), await meanwhile?.()], { guardedBy: [] });
    const taken = await taking('sandbox_a', async () => (await taking('sandbox_b'))[0]!);
    expect(taken).toEqual([true, true]);
    expect([...(await schemasIn(records)).values()].toSorted()).toEqual(['sandbox_a', 'sandbox_b']);
  },
);

test('schema pool: what still writes to a deleted sandbox ends first, and what begins later fails', async () => {
  const database = await newDatabase();
  const { schemas, records } = database;
  const pool = database.pool(1);
  await pool.fill();
  await take(records, pool, 'sandbox_a');
  const store = schemas.store('sandbox_a');
  await store.all(PLAN);
  let end: () => void;
  const mayEnd = new Promise<void>((resolve) => (end = resolve));
  let writing: Promise<void>;
  await new Promise<void>((hasWritten) => {
    writing = store.transaction(async (tx) => {
      await tx.all(PLAN);
      hasWritten();
      await mayEnd;
    });
  });
  await records.transaction((tx) => pool.give(tx, 'sandbox_a'));
  const emptied = pool.fill();
  const waits = `SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted`;
  await expect.poll(async () => (await records.all(waits)).length).toBe(1);
  end!();
  await writing!;
  await emptied;
  await expect(store.all(PLAN)).rejects.toMatchObject({ code: 'store' });
  expect(await take(records, pool, 'sandbox_b')).toBe(true);
  await expect(store.all(PLAN)).rejects.toMatchObject({ code: 'store' });
  expect(await rowsOf(schemas.store('sandbox_b'))).toBe(0);
});

test('schema pool: a large one of a deleted sandbox is deleted, and one that another server dropped forgotten', async () => {
  const database = await newDatabase();
  const { schemas, records } = database;
  const pool = database.pool(2);
  await pool.fill();
  const before = await schemasIn(records);
  for (const name of ['sandbox_large', 'sandbox_gone']) await take(records, pool, name);
  await schemas.store('sandbox_large').run(
    `INSERT INTO settings (name, value)
     SELECT 'large' || i, (SELECT string_agg(md5(i || '/' || j), '') FROM generate_series(1, 300) AS j)
     FROM generate_series(1, 2500) AS i`,
  );
  await records.run('DROP SCHEMA sandbox_gone CASCADE');
  for (const name of ['sandbox_large', 'sandbox_gone'])
    await records.transaction((tx) => pool.give(tx, name));
  await pool.fill();
  const after = await schemasIn(records);
  expect([...after.keys()].filter((oid) => before.has(oid))).toEqual([]);
  expect(after.size).toBe(2);
  expect(await records.all('SELECT 1 FROM sandbox_schema_pool')).toHaveLength(2);
});

test('schema pool: one that keeps none ready deletes those of deleted sandboxes at once', async () => {
  const database = await newDatabase();
  await database.pool(1).fill();
  await usedBy(database, database.pool(0), 'sandbox_a');
  expect((await schemasIn(database.records)).size).toBe(0);
});

test('schema pool: the reason is logged when it cannot be filled', async () => {
  const { records, pool } = await newDatabase();
  const warnings: unknown[] = [];
  const log: Log = { ...silentLog, warn: (...args: unknown[]) => void warnings.push(args) };
  await records.run('DROP TABLE sandbox_schema_pool');
  await pool(1, log).fill();
  expect(warnings).toEqual([
    [
      { reason: expect.stringContaining('sandbox_schema_pool') },
      'no schemas could be prepared for new sandboxes',
    ],
  ]);
});
