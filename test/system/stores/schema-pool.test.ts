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
  await records.run(POOL_TABLE);
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
