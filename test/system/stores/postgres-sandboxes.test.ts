import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createLog, silentLog } from '../../../protocol/log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import { createPostgresStorage } from '../../../server/sandboxes/postgres-storage.ts';
import { createSchemaPool, POOL_TABLE } from '../../../server/sandboxes/schema-pool.ts';
import {
  recordOf,
  sandboxStorageContract,
  sharedStorageContract,
  type StorageUnderTest,
} from '../../contract/sandbox-storage.contract.ts';
import { hostingServer, type HostingOptions } from '../../server/sandboxes/hosting-server.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

/** Schemas that are ready for sandboxes in a new database. */
const READY = 3;

let server: PostgresServer;
/** A database with the tables of `default`, and schemas that are ready for sandboxes. */
let prepared: string;
beforeAll(async () => {
  server = await startPostgres();
  prepared = await server.freshDatabase();
  const records = await openStore({ databaseUrl: prepared, log: silentLog });
  for (const statement of POOL_TABLE) await records.run(statement);
  await createSchemaPool({ records, size: READY, log: silentLog }).fill();
  await records.close();
});
afterAll(() => server.stop());

/** Opens a copy of the prepared database. */
async function newDatabase() {
  const url = await server.freshDatabase(prepared);
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-storage-'));
  const main = await openStore({ databaseUrl: url, log: silentLog });
  onTestFinished(async () => {
    await main.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { url, folder, main };
}

async function newStorage(): Promise<StorageUnderTest> {
  const { url, folder, main } = await newDatabase();
  return { main, open: () => createPostgresStorage({ url, folder, log: silentLog }) };
}

sandboxStorageContract(newStorage);
sharedStorageContract(newStorage);

test('PostgreSQL sandboxes: one that is created gets a schema that is ready, and another is made ready', async () => {
  const { url, main, folder } = await newDatabase();
  const storage = createPostgresStorage({ url, folder, poolSize: READY, log: silentLog });
  onTestFinished(() => storage.close());
  const schemas = () =>
    main.all<{ oid: number; nspname: string }>(
      `SELECT oid, nspname FROM pg_namespace WHERE nspname LIKE 'sandbox_%' ORDER BY oid`,
    );
  const [first, ...others] = await schemas();
  await storage.list();
  await storage.create(recordOf('ci'));
  await expect.poll(async () => (await schemas()).length).toBe(READY + 1);
  const [taken, ...ready] = await schemas();
  expect(taken).toEqual({ oid: first!.oid, nspname: expect.stringMatching(/^sandbox_ci_/) });
  expect(ready.slice(0, -1)).toEqual(others);
  expect(await storage.list()).toEqual([{ ...recordOf('ci'), schema: taken!.nspname }]);
});

async function twoServers(limits: HostingOptions = {}) {
  const databaseUrl = await server.freshDatabase();
  const start = async (instanceId: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'tapbench-storage-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const storage = () => createPostgresStorage({ url: databaseUrl, folder, log: silentLog });
    return hostingServer({ databaseUrl, instanceId, storage: storage(), ...limits });
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

test('PostgreSQL sandboxes: several first requests at once to one that the other server made are served', async () => {
  const { first, second } = await twoServers();
  const { secretKey: key } = await first.create({ name: 'ci' });
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => second.call('GET /v1/customers', { key })),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
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

test('PostgreSQL sandboxes: settings that a server changes hold on the other within a second, open or not', async () => {
  const { first, second } = await twoServers();
  const { secretKey: key } = await first.create({ name: 'ci', idempotencyKeys: 'on' });
  const headers = { 'idempotency-key': 'order-1' };
  const post = async () =>
    (
      await second.call('POST /v1/payment-sessions', {
        key,
        headers,
        body: { amount: 1000, currency: 'GBP' },
      })
    ).body.id as string;
  const answered = await post();
  expect(await post()).toBe(answered);
  expect((await first.call('PATCH /sandboxes/ci', { body: { strict: 'on' } })).status).toBe(200);
  await second.realClock.advance(1_000);
  await expect.poll(post).not.toBe(answered);
  const { body } = await second.call('GET /sandboxes/ci');
  expect([body.strict, body.idempotencyKeys]).toEqual(['on', 'off']);
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

test('PostgreSQL sandboxes: a server warns of nothing in one that another server deletes', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } });
  const { first, second } = await twoServers({ log });
  const { secretKey: key } = await first.create({ name: 'ci' });
  expect((await second.call('POST /v1/customers', { key, body: CUSTOMER })).status).toBe(200);
  expect((await first.call('DELETE /sandboxes/ci')).status).toBe(200);
  // What is due there each second finds no tables before the server has heard of the deletion.
  const status = async () => {
    await second.realClock.advance(1_000);
    return (await second.call('GET /v1/customers', { key })).status;
  };
  await expect.poll(status).toBe(403);
  const names = async () =>
    (await second.call('GET /sandboxes')).body.items.map(({ name }: { name: string }) => name);
  await expect.poll(names).toEqual(['default']);
  expect(lines).toEqual([]);
});

test('PostgreSQL sandboxes: servers that create the last ones at once stay within the limits of sandboxes and snapshots', async () => {
  const { first, second } = await twoServers({ countMax: 3, snapshots: { countMax: 3 } });
  for (const [create, list] of [
    ['POST /sandboxes', 'GET /sandboxes'],
    ['POST /sandboxes/default/snapshots', 'GET /sandboxes/default/snapshots'],
  ] as const) {
    const count = async () => {
      const { items } = (await second.call(list)).body;
      return items.filter(({ name }: { name?: string }) => name !== 'default').length as number;
    };
    const at = (one: typeof first) => one.call(create, { body: {} });
    const answers = await Promise.all([first, second, first, second, first, second].map(at));
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual(
      [],
    );
    expect(await count()).toBe(answers.filter(({ status }) => status === 200).length);
    expect(await count()).toBeLessThanOrEqual(3);
    while ((await count()) < 3) expect((await at(first)).status).toBe(200);
    expect([(await at(first)).status, (await at(second)).status]).toEqual([409, 409]);
  }
});
