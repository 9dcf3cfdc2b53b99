import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../protocol/log.ts';
import { openStore } from '../../server/platform/store/open-store.ts';
import { createPostgresStorage } from '../../server/sandboxes/postgres-storage.ts';
import {
  sandboxStorageContract,
  sharedStorageContract,
  type StorageUnderTest,
} from '../contract/sandbox-storage.contract.ts';
import { hostingServer } from '../server/sandboxes/hosting-server.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

async function newStorage(): Promise<StorageUnderTest> {
  const url = await server.freshDatabase();
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

async function twoServers() {
  const databaseUrl = await server.freshDatabase();
  const start = async (instanceId: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'tapbench-storage-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const storage = () => createPostgresStorage({ url: databaseUrl, folder, log: silentLog });
    return hostingServer({ databaseUrl, instanceId, storage: storage() });
  };
  return { first: await start('first'), second: await start('second') };
}

const CUSTOMER = { email: 'sam@example.com' };

test('PostgreSQL sandboxes: one that a server creates serves requests to the other at once, with the same objects', async () => {
  const { first, second } = await twoServers();
  const { secretKey } = await first.create({ name: 'ci-1' });
  const made = await second.call('POST /v1/customers', { key: secretKey, body: CUSTOMER });
  const path = `v1/customers/${made.body.id}`;
  expect((await first.call(`GET /${path}`, { key: secretKey })).status).toBe(200);
  expect((await second.call(`GET /s/ci-1/${path}`, { key: secretKey })).status).toBe(200);
  expect((await second.call(`GET /${path}`)).status).toBe(404);
  expect((await second.call('POST /sandboxes', { body: { name: 'ci-1' } })).status).toBe(409);
});

test('PostgreSQL sandboxes: a fork has keys of its own, and both change apart', async () => {
  const { first, second } = await twoServers();
  const before = await first.call('POST /v1/customers', { body: CUSTOMER });
  const fork = await first.create({ name: 'fork', from: 'default' });
  const again = await second.create({ name: 'again', from: 'fork' });
  const after = await first.call('POST /v1/customers', { body: CUSTOMER });
  for (const { secretKey } of [fork, again]) {
    const statusOf = async (id: string) =>
      (await second.call(`GET /v1/customers/${id}`, { key: secretKey })).status;
    expect([await statusOf(before.body.id), await statusOf(after.body.id)]).toEqual([200, 404]);
  }
  expect((await first.call('GET /s/again/v1/customers', { key: fork.secretKey })).status).toBe(403);
});

test('PostgreSQL sandboxes: one that a server deletes is closed on the other within a second', async () => {
  const { first, second } = await twoServers();
  const { secretKey } = await first.create({ name: 'ci' });
  expect((await second.call('GET /v1/customers', { key: secretKey })).status).toBe(200);
  expect((await first.call('DELETE /sandboxes/ci')).status).toBe(200);
  await second.realClock.advance(1_000);
  const status = async () => (await second.call('GET /v1/customers', { key: secretKey })).status;
  await expect.poll(status).toBe(403);
  const { body } = await second.call('GET /sandboxes');
  expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['default']);
});
