import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import { openStore } from '../../../../server/platform/store/open-store.ts';

const API = new URL('../../../../server/api/', import.meta.url);

/** Columns that no object declares: of every table its numbers and deletions, and what only pairing reads and writes. */
const UNDECLARED = ['seq', 'deleted', 'key_counter'];

interface StoredObjects {
  table: string;
  columns: readonly string[];
}

function isStoredObjects(value: unknown): value is StoredObjects {
  return typeof value === 'object' && value !== null && 'table' in value && 'columns' in value;
}

async function allStoredObjects(): Promise<StoredObjects[]> {
  const paths = readdirSync(API, { recursive: true, encoding: 'utf8' });
  const records = paths.filter((path) => path.endsWith('.records.ts'));
  const modules = await Promise.all(records.map((path) => import(new URL(path, API).href)));
  return modules.flatMap((exports: object) => Object.values(exports).filter(isStoredObjects));
}

// A column that is not declared is not inserted, and one that is not in the table fails at the first insertion.
test('stored objects: each declares the columns of its table', async () => {
  const store = await openStore({ path: ':memory:', log: silentLog });
  const objects = await allStoredObjects();
  expect(objects.map(({ table }) => table)).toContain('terminals');
  for (const { table, columns } of objects) {
    const inTable = await store.all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`);
    const names = inTable.map(({ name }) => name).filter((name) => !UNDECLARED.includes(name));
    expect(
      [...columns].sort(),
      `the properties of ${table} have other columns than its table: a new one needs a migration in server/platform/store/migrations`,
    ).toEqual(names.sort());
  }
  await store.close();
});
