import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import { createRewoundStores, type RewoundStores } from '../../../../server/platform/store/rewound-stores.ts';
import { openSqlite } from '../../../../server/platform/store/sqlite.ts';
import type { Store } from '../../../../server/platform/store/store.ts';
import { storeContract } from '../../../contract/store.contract.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tapbench-test-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Returns stores that begin with the rows that `fill` writes. */
async function storesWith(fill: (store: Store) => Promise<unknown>): Promise<RewoundStores> {
  const path = join(folder(), 'image.db');
  const store = await openSqlite({ path, log: silentLog, sync: 'never' });
  await fill(store);
  await store.close();
  const stores = createRewoundStores(readFileSync(path));
  onTestFinished(() => stores.close());
  return stores;
}

const withNumber = (store: Store) =>
  store.transaction(async (tx) => {
    await tx.run('CREATE TABLE numbers (seq INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER)');
    await tx.run('INSERT INTO numbers (number) VALUES (7)');
  });

const add = (store: Pick<Store, 'get'>, number: number) =>
  store.get('INSERT INTO numbers (number) VALUES (?) RETURNING seq', number);

const numbersIn = async (store: Store) =>
  (await store.all<{ number: number }>('SELECT number FROM numbers ORDER BY seq')).map(
    ({ number }) => number,
  );

storeContract(async () => (await storesWith(async () => {})).open(silentLog), { readsWait: true });

test('rewound stores: each begins with the same rows and the same counters, whatever the one before wrote', async () => {
  const stores = await storesWith(withNumber);
  for (let round = 0; round < 3; round += 1) {
    const store = stores.open(silentLog);
    expect(await numbersIn(store)).toEqual([7]);
    expect(await add(store, 8)).toEqual({ seq: 2 });
    await store.run('CREATE TABLE others (id TEXT)');
    expect(await numbersIn(store)).toEqual([7, 8]);
    await store.close();
  }
});

test('rewound stores: those that are open at once have rows of their own', async () => {
  const stores = await storesWith(withNumber);
  const [first, second] = [stores.open(silentLog), stores.open(silentLog)];
  await add(first, 1);
  await add(second, 2);
  expect([await numbersIn(first), await numbersIn(second)]).toEqual([
    [7, 1],
    [7, 2],
  ]);
  await first.close();
  const third = stores.open(silentLog);
  expect([await numbersIn(third), await numbersIn(second)]).toEqual([[7], [7, 2]]);
  await Promise.all([second.close(), third.close()]);
});

test('rewound stores: a store that is closed answers nothing, also while a later one is open', async () => {
  const stores = await storesWith(withNumber);
  const first = stores.open(silentLog);
  await first.close();
  await first.close();
  const second = stores.open(silentLog);
  await add(second, 8);
  await expect(first.all('SELECT number FROM numbers')).rejects.toMatchObject({ code: 'store' });
  await expect(add(first, 9)).rejects.toMatchObject({ code: 'store' });
  expect(await numbersIn(second)).toEqual([7, 8]);
  await second.close();
});

test('rewound stores: the copy of one has its rows, and later stores begin as before', async () => {
  const stores = await storesWith(withNumber);
  const first = stores.open(silentLog);
  await add(first, 8);
  const path = join(folder(), 'copy.db');
  await first.copyTo!(path);
  await add(first, 9);
  const copy = await openSqlite({ path, log: silentLog });
  onTestFinished(() => copy.close());
  expect([await numbersIn(first), await numbersIn(copy)]).toEqual([
    [7, 8, 9],
    [7, 8],
  ]);
  await first.close();
  const second = stores.open(silentLog);
  expect(await numbersIn(second)).toEqual([7]);
  await second.close();
});

test('rewound stores: a copy that cannot be written is a fault, and the store goes on', async () => {
  const stores = await storesWith(withNumber);
  const store = stores.open(silentLog);
  await expect(store.copyTo!(join(folder(), 'none', 'copy.db'))).rejects.toMatchObject({ code: 'store' });
  await add(store, 8);
  expect(await numbersIn(store)).toEqual([7, 8]);
  await store.close();
});

test('rewound stores: a store that is open when the others are closed goes on, and so does one opened later', async () => {
  const stores = await storesWith(withNumber);
  const first = stores.open(silentLog);
  stores.close();
  await add(first, 8);
  expect(await numbersIn(first)).toEqual([7, 8]);
  await first.close();
  const second = stores.open(silentLog);
  expect(await numbersIn(second)).toEqual([7]);
  await second.close();
});

test('rewound stores: a transaction body that waits for a read of the store fails, in place of waiting for ever', async () => {
  const stores = await storesWith(withNumber);
  const store = stores.open(silentLog);
  const waiting = store.transaction(async () => numbersIn(store));
  await expect(waiting).rejects.toMatchObject({ code: 'internal' });
  expect(await numbersIn(store)).toEqual([7]);
  await store.close();
});
