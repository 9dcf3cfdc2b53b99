import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import { openSqlite } from '../../../../server/platform/store/sqlite.ts';
import type { Store } from '../../../../server/platform/store/store.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tapbench-copy-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function opened(path: string): Promise<Store> {
  const store = await openSqlite({ path, log: silentLog });
  onTestFinished(() => store.close());
  return store;
}

async function storeWithNumbers(path: string): Promise<Store> {
  const store = await opened(path);
  await store.run('CREATE TABLE numbers (number INTEGER)');
  return store;
}

const numbersIn = async (store: Store) =>
  (await store.all<{ number: number }>('SELECT number FROM numbers ORDER BY number')).map(
    ({ number }) => number,
  );

test.each(['file', 'memory'])(
  'copyTo: the copy of a store in %s has what was committed, and changes of one are not in the other',
  async (kind) => {
    const path = folder();
    const source = await storeWithNumbers(kind === 'memory' ? ':memory:' : join(path, 'source.db'));
    await source.run('INSERT INTO numbers VALUES (1)');
    await source.copyTo!(join(path, 'copy.db'));
    const copy = await opened(join(path, 'copy.db'));
    await source.run('INSERT INTO numbers VALUES (2)');
    await copy.run('INSERT INTO numbers VALUES (3)');
    expect([await numbersIn(source), await numbersIn(copy)]).toEqual([
      [1, 2],
      [1, 3],
    ]);
  },
);

test('copyTo: the copy of a store of 40 MB, which is synced in parts, has every row', async () => {
  const path = folder();
  const source = await opened(join(path, 'source.db'));
  await source.run('CREATE TABLE pages (number INTEGER, bytes BLOB)');
  for (let number = 0; number < 40; number += 1)
    await source.run('INSERT INTO pages VALUES (?, zeroblob(1000000))', number);
  await source.copyTo!(join(path, 'copy.db'));
  const copy = await opened(join(path, 'copy.db'));
  const sum = 'SELECT SUM(number) AS numbers, SUM(length(bytes)) AS bytes FROM pages';
  expect(await copy.get(sum)).toEqual({ numbers: 780, bytes: 40_000_000 });
  expect(await copy.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
});

test('copyTo: a copy during many transactions has each of them whole or not at all', async () => {
  const path = folder();
  const source = await storeWithNumbers(':memory:');
  const writing = Array.from({ length: 200 }, (_, index) =>
    source.transaction(async (tx) => {
      await tx.run('INSERT INTO numbers VALUES (?)', index);
      await tx.run('INSERT INTO numbers VALUES (?)', index);
    }),
  );
  await source.copyTo!(join(path, 'copy.db'));
  await Promise.all(writing);
  const found = await numbersIn(await opened(join(path, 'copy.db')));
  expect(found.filter((number) => found.indexOf(number) === found.lastIndexOf(number))).toEqual([]);
  expect(await numbersIn(source)).toHaveLength(400);
});

test('copyTo: nothing is written between what is called before the copy and the copy', async () => {
  const path = folder();
  const source = await storeWithNumbers(':memory:');
  let later: Promise<unknown> | undefined;
  await source.copyTo!(join(path, 'copy.db'), async () => {
    later = source.run('INSERT INTO numbers VALUES (1)');
    await new Promise((resolve) => setImmediate(resolve));
  });
  await later;
  expect([await numbersIn(await opened(join(path, 'copy.db'))), await numbersIn(source)]).toEqual([[], [1]]);
});

test('copyTo: a folder that does not exist is a fault, and the store goes on', async () => {
  const source = await storeWithNumbers(':memory:');
  await expect(source.copyTo!(join(folder(), 'none', 'copy.db'))).rejects.toMatchObject({ code: 'store' });
  await source.run('INSERT INTO numbers VALUES (1)');
  expect(await numbersIn(source)).toEqual([1]);
});

test('copyTo: a store that is closed is not copied', async () => {
  const source = await storeWithNumbers(':memory:');
  await source.close();
  await expect(source.copyTo!(join(folder(), 'copy.db'))).rejects.toMatchObject({ code: 'store' });
});
