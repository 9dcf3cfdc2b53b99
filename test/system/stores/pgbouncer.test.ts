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
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';
import { startPgBouncer, type PgBouncer } from './pgbouncer-server.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

/** What holds on PostgreSQL holds through PgBouncer, which gives each transaction to any of its connections. */
const fixture = createSystemFixture();
let server: PostgresServer;
let pooler: PgBouncer;
let prepared: string;
beforeAll(async () => {
  server = await startPostgres();
  pooler = await startPgBouncer(server.url);
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
  await storage.create(recordOf('ci'));
  const sandbox = await storage.open(recordOf('ci'));
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

const KEYS = {
  SECRET_KEY: 'sk_sandbox_0123456789abcdef0123456789abcdef',
  PUBLIC_KEY: 'pk_sandbox_0123456789abcdef0123456789abcdef',
  PAIRING_SECRET: 'a pairing secret that both servers have, long enough',
};

async function payAtTerminal({ api, terminals }: Tapbench): Promise<void> {
  const terminal = terminals[0]!.id;
  const payment = { amounts: { requested: 1742 }, currency: 'GBP' };
  const started = await api('POST', `/v1/in-person/terminals/${terminal}/payment`, payment);
  expect(started.status).toBe(200);
  const session = started.body.action.transaction.paymentSessionId;
  const status = async () => (await api('GET', `/v1/payment-sessions/${session}`)).body.status;
  await waitFor('the payment to be captured', async () => (await status()) === 'Captured');
}

test('PgBouncer: two servers take payments and have the same sandboxes, whose objects stay apart', async () => {
  const env = { ...KEYS, DATABASE_URL: pooler.through(await server.freshDatabase()) };
  const first = await fixture.tapbench({ env });
  const second = await fixture.tapbench({ command: 'server', env });
  const create = async (name: string, from?: string) => {
    const { status, body } = await first.api('POST', '/sandboxes', { name, from });
    expect([status, body.errors]).toEqual([200, undefined]);
    return body.secretKey as string;
  };
  const keys = {
    default: first.secretKey,
    one: await create('one'),
    two: await create('two'),
    fork: await create('fork', 'one'),
  };
  const paying = payAtTerminal(first);

  const emails = Array.from({ length: 12 }, (_, index) => `buyer${index}@corner.example`);
  await Promise.all(
    Object.entries(keys).flatMap(([name, authorization]) =>
      emails.map(async (email, index) => {
        const { api } = index % 2 === 0 ? first : second;
        const customer = { email: `${name}.${email}` };
        const { status, body } = await api('POST', '/v1/customers', customer, { authorization });
        expect([name, index, status, body.errors]).toEqual([name, index, 200, undefined]);
      }),
    ),
  );
  await paying;
  for (const { api } of [first, second])
    for (const [name, authorization] of Object.entries(keys)) {
      const { body } = await api('GET', '/v1/customers?limit=50', undefined, { authorization });
      const found = body.items.map(({ email }: { email: string }) => email).toSorted();
      expect([name, found]).toEqual([name, emails.map((email) => `${name}.${email}`).toSorted()]);
    }

  await first.kill('SIGKILL');
  await first.restart();
  await payAtTerminal(first);
  expect((await first.api('DELETE', '/sandboxes/two')).status).toBe(200);
  const { body } = await second.api('GET', '/sandboxes');
  expect(body.items.map(({ name }: { name: string }) => name).toSorted()).toEqual(['default', 'fork', 'one']);
});
