import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import { migrate, MIGRATIONS } from '../../../../server/platform/store/migrations/migrate.ts';
import { openStore } from '../../../../server/platform/store/open-store.ts';
import { openSqlite } from '../../../../server/platform/store/sqlite.ts';
import type { Store } from '../../../../server/platform/store/store.ts';

const FIRST = { name: '0001-first', statements: ['CREATE TABLE items (seq {seq}, id TEXT NOT NULL)'] };
const SECOND = { name: '0002-second', statements: [`INSERT INTO items (id) VALUES ('by the second')`] };
const BROKEN = {
  name: '0002-broken',
  statements: ['CREATE TABLE half (id TEXT PRIMARY KEY)', 'CREATE TABLE half (id TEXT PRIMARY KEY)'],
};

async function emptyStore(): Promise<Store> {
  const store = await openSqlite({ path: ':memory:', log: silentLog });
  onTestFinished(() => store.close());
  return store;
}

test('migrate: runs each step once, in order, however often the server starts', async () => {
  const store = await emptyStore();
  await migrate(store, silentLog, { migrations: [FIRST] });
  await migrate(store, silentLog, { migrations: [FIRST, SECOND] });
  await migrate(store, silentLog, { migrations: [FIRST, SECOND] });
  expect(await store.all('SELECT number, name FROM migrations ORDER BY number')).toEqual([
    { number: 1, name: '0001-first' },
    { number: 2, name: '0002-second' },
  ]);
  expect(await store.all('SELECT id FROM items')).toHaveLength(1);
});

test('migrate: the counter of a table only grows, also after its newest row is deleted', async () => {
  const store = await emptyStore();
  await migrate(store, silentLog, { migrations: [FIRST] });
  const next = () => store.get<{ seq: number }>(`INSERT INTO items (id) VALUES ('x') RETURNING seq`);
  const first = await next();
  await store.run('DELETE FROM items');
  expect((await next())!.seq).toBeGreaterThan(first!.seq);
});

test('migrate: a step that fails is rolled back', async () => {
  const store = await emptyStore();
  await expect(migrate(store, silentLog, { migrations: [FIRST, BROKEN] })).rejects.toMatchObject({
    code: 'store',
  });
  expect(await store.all('SELECT name FROM migrations')).toEqual([{ name: '0001-first' }]);
  await expect(store.get('SELECT id FROM half')).rejects.toMatchObject({ code: 'store' });
});

test('migrate: refuses data of a newer version, and says what to do', async () => {
  const store = await emptyStore();
  await migrate(store, silentLog, { migrations: [FIRST, SECOND] });
  await expect(migrate(store, silentLog, { migrations: [FIRST] })).rejects.toMatchObject({
    code: 'store',
    message: expect.stringMatching(/newer Tapbench.*0002-second.*upgrade/s),
  });
});

test('migrate: the steps of the release are in the order of their numbers', () => {
  const numbers = MIGRATIONS.map(({ name }) => Number(name.slice(0, 4)));
  expect(numbers).toEqual(MIGRATIONS.map((_, index) => index + 1));
});

test('migrate: each file of a step is in the list', () => {
  const folder = new URL('../../../../server/platform/store/migrations/', import.meta.url);
  const files = readdirSync(folder).filter((name) => /^\d{4}-/.test(name));
  const names = new Set(MIGRATIONS.map(({ name }) => name));
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((file) => !names.has(file.slice(0, -'.ts'.length)))).toEqual([]);
});

test('openStore: creates every table of the release', async () => {
  const store = await openStore({ path: ':memory:', log: silentLog });
  onTestFinished(() => store.close());
  expect(await store.all('SELECT name FROM migrations ORDER BY number')).toEqual(
    MIGRATIONS.map(({ name }) => ({ name })),
  );
  expect(await store.get('SELECT count(*) AS n FROM jobs')).toEqual({ n: 0 });
});

test('openStore: in memory has the same tables as a store that ran the migrations itself, and none of the rows of another', async () => {
  const migrated = await emptyStore();
  await migrate(migrated, silentLog);
  const stores = [migrated];
  for (const name of ['first', 'second']) {
    const store = await openStore({ path: ':memory:', log: silentLog });
    onTestFinished(() => store.close());
    await store.run('INSERT INTO settings (name, value) VALUES (?, ?)', 'opened as', name);
    expect(await store.all('SELECT value FROM settings')).toEqual([{ value: name }]);
    stores.push(store);
  }
  const [expected, ...found] = await Promise.all(
    stores.map((store) => store.all('SELECT type, name, sql FROM sqlite_schema ORDER BY name')),
  );
  expect(found).toEqual([expected, expected]);
});

test('openStore: an invalid database address is a bad setting, and its password is not repeated', async () => {
  const opening = openStore({ databaseUrl: 'mysql://root:hunter2@db/x', log: silentLog });
  await expect(opening).rejects.toMatchObject({
    code: 'bad_setting',
    message: expect.not.stringContaining('hunter2'),
  });
});
