import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { MIGRATIONS } from '../../../server/platform/store/migrations/migrate.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import { openPostgres } from '../../../server/platform/store/postgres.ts';
import type { Queries, Transaction } from '../../../server/platform/store/store.ts';
import { storeContract } from '../../contract/store.contract.ts';
import { storedObjectsContract } from '../../contract/stored-objects.contract.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

storeContract(async () => openPostgres({ url: await server.freshDatabase(), log: silentLog }));
storedObjectsContract(async () => openPostgres({ url: await server.freshDatabase(), log: silentLog }));

test('PostgreSQL store: two instances that start at once on an empty database migrate it once', async () => {
  const databaseUrl = await server.freshDatabase();
  const stores = await Promise.all([1, 2, 3].map(() => openStore({ databaseUrl, log: silentLog })));
  onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))));
  expect(await stores[0]!.all('SELECT name FROM migrations')).toHaveLength(MIGRATIONS.length);
});

test('PostgreSQL store: a lost connection is a fault of its queries, and the next query has a new one', async () => {
  const store = await openPostgres({ url: await server.freshDatabase(), log: silentLog });
  onTestFinished(() => store.close());
  await store.run('CREATE TABLE items (id TEXT PRIMARY KEY)');
  const cut = store.transaction(async (tx) => {
    await tx.run(`INSERT INTO items VALUES ('lost')`);
    await tx.get('SELECT pg_terminate_backend(pg_backend_pid())');
  });
  await expect(cut).rejects.toMatchObject({ code: 'store' });
  await store.run(`INSERT INTO items VALUES ('kept')`);
  expect(await store.all('SELECT id FROM items')).toEqual([{ id: 'kept' }]);
});

test('PostgreSQL store: a stopping database fails the queries, and the store closes', async () => {
  const other = await startPostgres();
  const store = await openPostgres({ url: other.url, log: silentLog });
  await store.run('CREATE TABLE items (id TEXT PRIMARY KEY)');
  await other.stop();
  await expect(store.run(`INSERT INTO items VALUES ('lost')`)).rejects.toMatchObject({ code: 'store' });
  await expect(store.get('SELECT id FROM items')).rejects.toMatchObject({ code: 'store' });
  await store.close();
});

test('PostgreSQL store: a missing database is a fault that names the setting and not the password', async () => {
  const { port } = new URL(server.url);
  const opening = openPostgres({ url: `postgres://me:hunter2@127.0.0.1:${port}/nowhere`, log: silentLog });
  await expect(opening).rejects.toMatchObject({
    code: 'store',
    message: expect.stringMatching(/^DATABASE_URL(?!.*hunter2)/),
  });
});

test('PostgreSQL store: a number that a double cannot hold is a fault, not a wrong amount', async () => {
  const store = await openPostgres({ url: server.url, log: silentLog });
  onTestFinished(() => store.close());
  await expect(store.get('SELECT 9007199254740993 AS amount')).rejects.toMatchObject({ code: 'store' });
});

test('PostgreSQL store: a long transaction ends although short ones that conflict with it never cease', async () => {
  const store = await openPostgres({ url: await server.freshDatabase(), log: silentLog });
  onTestFinished(() => store.close());
  await store.run('CREATE TABLE items (id SERIAL PRIMARY KEY, seen INTEGER)');
  const count = async (tx: Queries) => (await tx.get<{ n: number }>('SELECT count(*) AS n FROM items'))!.n;
  let hasEnded = false;
  const short = async () => {
    while (!hasEnded)
      await store.transaction(async (tx) => tx.run('INSERT INTO items (seen) VALUES (?)', await count(tx)));
  };
  const streams = [1, 2, 3, 4].map(short);
  const long = store.transaction(async (tx) => {
    const seen = await count(tx);
    for (let asked = 0; asked < 100; asked += 1) await tx.get('SELECT 1');
    await tx.run('INSERT INTO items (seen) VALUES (?)', seen);
  });
  await long.finally(() => (hasEnded = true));
  await Promise.all(streams);
  // Each saw those that were there before it, as if no other ran at the same time.
  const rows = await store.all<{ seen: number }>('SELECT seen FROM items ORDER BY seen');
  expect(rows.map(({ seen }) => seen)).toEqual(rows.map((_, index) => index));
});

test('PostgreSQL store: a lock is refused in a transaction without guards, which would not see what it waited for', async () => {
  const store = await openPostgres({ url: server.url, log: silentLog });
  onTestFinished(() => store.close());
  const locked = async (tx: Transaction) => tx.lock('a log');
  await expect(store.transaction(locked)).rejects.toMatchObject({ code: 'internal' });
  await store.transaction(locked, { guardedBy: ['latestRows'] });
});

test('PostgreSQL store: what is read after a write that is not sent yet is read while a reset has to wait', async () => {
  const store = await openPostgres({ url: await server.freshDatabase(), log: silentLog });
  onTestFinished(() => store.close());
  await store.run('CREATE TABLE items (id TEXT PRIMARY KEY)');
  await store.run('CREATE TABLE listeners (id TEXT PRIMARY KEY)');
  const lockAsReset = () => store.run('LOCK TABLE items, listeners IN EXCLUSIVE MODE NOWAIT');
  const add = async (tx: Transaction) => {
    await tx.all('SELECT id FROM listeners');
    tx.send(`INSERT INTO items VALUES ('one')`);
    await tx.all('SELECT id FROM listeners');
    await expect(lockAsReset()).rejects.toMatchObject({ code: 'store' });
  };
  await store.transaction(add, { guardedBy: [] });
  await lockAsReset();
  expect(await store.all('SELECT id FROM items')).toEqual([{ id: 'one' }]);
});

test('PostgreSQL store: a write whose table cannot be locked fails with the reason', async () => {
  const store = await openPostgres({ url: await server.freshDatabase(), log: silentLog });
  onTestFinished(() => store.close());
  const add = async (tx: Transaction) => {
    tx.send(`INSERT INTO missing VALUES ('one')`);
    await tx.get('SELECT 1');
  };
  await expect(store.transaction(add, { guardedBy: [] })).rejects.toThrow('"missing" does not exist');
});
