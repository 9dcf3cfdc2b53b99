import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import { createPostgresStorage } from '../../../server/sandboxes/postgres-storage.ts';
import { recordOf } from '../../contract/sandbox-storage.contract.ts';
import { countFrom } from '../../kit/count-from.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

/** Sandboxes that are created and deleted, a few at once. */
const SANDBOXES = countFrom('CATALOGUE_SANDBOXES', 300);
const AT_ONCE = 6;

/** What lists each table, column and index of a database. `pg_namespace` has a row for a schema, which is renamed. */
const CATALOGUES = ['attrdef', 'attribute', 'class', 'constraint', 'depend', 'index', 'sequence', 'type'];

test('PostgreSQL sandboxes: hundreds that come and go leave the catalogue and the files as the first of them did', async () => {
  const url = await server.freshDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-storage-'));
  const main = await openStore({ databaseUrl: url, log: silentLog });
  const storage = createPostgresStorage({ url, folder, poolSize: 4, log: silentLog });
  onTestFinished(async () => {
    await storage.close();
    await main.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const comeAndGo = async (names: string[]) => {
    const records = names.map((name) => recordOf(name));
    const prepare = async (tx: { run(sql: string): Promise<unknown> }) =>
      void (await tx.run(`INSERT INTO settings (name, value) VALUES ('written', 'x')`));
    await Promise.all(records.map((record) => storage.create(record, { prepare })));
    await Promise.all(records.map((record) => storage.remove(record)));
  };
  const namesFrom = (first: number) => Array.from({ length: AT_ONCE }, (_, index) => `ci-${first + index}`);
  const pages = () =>
    main.all(
      `SELECT relname, pg_relation_size(oid) / 8192 AS pages FROM pg_class
       WHERE relname = ANY(string_to_array(?, ',')) ORDER BY relname`,
      CATALOGUES.map((name) => `pg_${name}`).join(','),
    );
  const files = async () =>
    (await main.get<{ files: number }>('SELECT count(*) AS files FROM pg_class'))!.files;
  const ready = async () =>
    (await main.all('SELECT 1 FROM sandbox_schema_pool WHERE used')).length === 0 &&
    (await main.all('SELECT 1 FROM sandbox_schema_pool')).length >= AT_ONCE;

  await storage.list();
  await expect.poll(async () => (await main.all('SELECT 1 FROM sandbox_schema_pool')).length).toBe(4);
  for (let first = 0; first < 4 * AT_ONCE; first += AT_ONCE) {
    await comeAndGo(namesFrom(first));
    await expect.poll(ready).toBe(true);
  }
  const [pagesBefore, filesBefore] = [await pages(), await files()];
  for (let first = 0; first < SANDBOXES; first += AT_ONCE) await comeAndGo(namesFrom(first));
  expect(await files()).toBe(filesBefore);
  expect(await pages()).toEqual(pagesBefore);
  expect(await main.all('SELECT name FROM sandboxes')).toEqual([]);
});
