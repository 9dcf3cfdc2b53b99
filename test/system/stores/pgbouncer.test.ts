import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import { openPostgres } from '../../../server/platform/store/postgres.ts';
import { createPostgresStorage } from '../../../server/sandboxes/postgres-storage.ts';
import { instancesContract } from '../../contract/instances.contract.ts';
import {
  recordOf,
  sandboxStorageContract,
  sharedStorageContract,
  type StorageUnderTest,
} from '../../contract/sandbox-storage.contract.ts';
import { storeContract } from '../../contract/store.contract.ts';
import { storedObjectsContract } from '../../contract/stored-objects.contract.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { startPgBouncer, type PgBouncer } from './pgbouncer-server.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

/** What holds on PostgreSQL holds through PgBouncer, which gives each transaction to any of its connections. */
const fixture = createSystemFixture();
let server: PostgresServer;
let pooler: PgBouncer;
let prepared: string;
beforeAll(async () => {
  server = await startPostgres();
  pooler = await startPgBouncer(server.url, { mode: 'transaction', connections: 6 });
  prepared = await server.freshDatabase();
  await (await openStore({ databaseUrl: prepared, log: silentLog })).close();
});
afterAll(async () => {
  await fixture.cleanUp();
  await pooler.stop();
  await server.stop();
});

const open = async () => openPostgres({ url: pooler.through(await server.freshDatabase()), log: silentLog });

storeContract(open);
storedObjectsContract(open);
instancesContract(async () =>
  openStore({ databaseUrl: pooler.through(await server.freshDatabase()), log: silentLog }),
);

async function newStorage(): Promise<StorageUnderTest> {
  const url = pooler.through(await server.freshDatabase(prepared));
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-storage-'));
  const main = await openStore({ databaseUrl: url, log: silentLog });
  onTestFinished(async () => {
    await main.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { main, open: () => createPostgresStorage({ url, folder, log: silentLog }) };
}

sandboxStorageContract(newStorage);
sharedStorageContract(newStorage);

test('PgBouncer: what a session keeps is not set, so that nothing of it reaches other clients', async () => {
  const url = pooler.through(await server.freshDatabase(prepared));
  const storage = createPostgresStorage({ url, folder: fixture.folder(), log: silentLog });
  onTestFinished(() => storage.close());
  await storage.list();
  const record = recordOf('ci');
  await storage.create(record);
  const sandbox = await storage.open(record);
  onTestFinished(() => sandbox.close());
  // As many at once as PgBouncer has connections, and more.
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      sandbox.transaction((tx) =>
        tx.run('INSERT INTO settings (name, value) VALUES (?, ?)', `setting ${index}`, 'x'),
      ),
    ),
  );
  // Another client, as PgBouncer has it: the transaction has no settings of its own.
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  // The level of isolation begins anew with each transaction, but its source remains.
  const kept = async () =>
    (
      await client.query(
        `SELECT name FROM pg_settings WHERE source = 'session' AND name <> 'transaction_isolation'`,
      )
    ).rows.map(({ name }) => name);
  const found = new Set<string>();
  for (let look = 0; look < 20; look += 1) for (const name of await kept()) found.add(name);
  const ofPgBouncer = ['application_name', 'client_encoding', 'DateStyle', 'TimeZone'];
  expect([...found].filter((name) => !ofPgBouncer.includes(name))).toEqual([]);
  expect((await client.query('SELECT count(*)::int AS count FROM pg_prepared_statements')).rows).toEqual([
    { count: 0 },
  ]);
});
