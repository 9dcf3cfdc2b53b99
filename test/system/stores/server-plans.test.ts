import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { deleteExpiredKeys } from '../../../server/platform/http/idempotency/idempotency-key.records.ts';
import {
  countOtherInstances,
  recordInstance,
  untilOthersFollow,
} from '../../../server/platform/instances/other-instances.ts';
import { renewClaims } from '../../../server/platform/scheduler/claim-lease.records.ts';
import { createJobs } from '../../../server/platform/scheduler/scheduler.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import { createPostgresStorage } from '../../../server/sandboxes/postgres-storage.ts';
import * as records from '../../../server/sandboxes/sandbox-record.records.ts';
import { createSchemaPool } from '../../../server/sandboxes/schema-pool.ts';
import { createPostgresSnapshots } from '../../../server/sandboxes/snapshots/postgres-snapshots.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { recordOf } from '../../contract/sandbox-storage.contract.ts';
import { recordQueries } from '../../kit/query-plans.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

const NOW_MS = Date.UTC(2026, 2, 1);

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

async function openWatched() {
  const url = await server.freshDatabase();
  const opened = await openStore({ databaseUrl: url, log: silentLog });
  onTestFinished(() => opened.close());
  return { url, opened, watched: recordQueries(opened) };
}

test('server plans: sandboxes, snapshots and schemas of the pool are found by an index, and read whole only where all are asked for', async () => {
  const { url, opened, watched } = await openWatched();
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-plans-'));
  const storage = createPostgresStorage({ url, folder, log: silentLog });
  onTestFinished(async () => {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await storage.list();
  const record = recordOf('shop');
  await storage.create(record);
  await opened.run(
    `INSERT INTO sandbox_snapshots (id, created_ms, clock_ms, bytes) VALUES ('snap_1', ?, ?, 1)`,
    NOW_MS,
    NOW_MS,
  );
  const { store } = watched;
  await records.readRecords(store);
  await records.revisionOf(store);
  await records.countOf(store);
  await records.terminalsOf(store, record);
  await records.updateFacts(store, record);
  await records.countOpening(store, record);
  await records.updateUse(store, record);
  const snapshots = createPostgresSnapshots({ records: store, folder });
  expect(await snapshots.list()).toHaveLength(1);
  expect(await snapshots.find('snap_1')).toMatchObject({ bytes: 1 });
  await snapshots.remove({ id: 'snap_1', sandbox: 'shop', createdMs: NOW_MS, clockMs: NOW_MS, bytes: 1 });
  await createSchemaPool({ records: opened, size: 1, log: silentLog }).fill();
  const pool = createSchemaPool({ records: store, size: 1, log: silentLog });
  expect(await store.transaction((tx) => pool.take(tx, 'sandbox_other'))).toBe(true);
  await store.transaction((tx) => pool.give(tx, 'sandbox_other'));
  await pool.fill();
  expect(watched.statementCount()).toBeGreaterThanOrEqual(14);
  expect(await watched.slowStatements(READ_WHOLE)).toEqual([]);
});

/** Statements that read whole what they are about, and why. */
const READ_WHOLE: readonly (readonly [RegExp, string])[] = [
  [/FROM sandboxes ORDER BY seq$/, 'every server holds all sandboxes, and reads them when one has changed'],
  [/string_agg\(seq .* FROM sandboxes$/, 'whether one has changed: some hundreds at most'],
  [/count\(\*\) AS count FROM sandboxes$/, 'how many there are: some hundreds at most'],
  [/FROM sandbox_snapshots ORDER BY seq$/, 'the list of all snapshots, without their content'],
  [/sandbox_schema_pool/, 'the pool, 64 schemas at most'],
];

test('server plans: what a server does again and again by itself reads no more rows when its tables grow', async () => {
  const { opened, watched } = await openWatched();
  const { store } = watched;
  const clock = new VirtualClock(NOW_MS);
  const shared = { store, clock, realClock: clock, log: silentLog };
  const jobs = createJobs({ ...shared, instanceId: 'this', soleOwner: false });
  onTestFinished(() => jobs.stop());
  let ended = 0;
  const end = (job: Parameters<Parameters<typeof jobs.handle>[1]>[0]) =>
    store.transaction(
      async (tx) => {
        await jobs.finish(tx, job, 'done');
        tx.afterCommit(() => (ended += 1));
      },
      { guardedBy: ['jobClaims'] },
    );
  for (const kind of ['one', 'other']) jobs.handle(kind, end);
  jobs.handle('queued', end, { atOnce: 8 });
  // As another server adds them.
  const addJob = (kind: string, key: string, queue: string) =>
    opened.run(
      `INSERT INTO jobs (kind, queue, subject, payload, due_ms) VALUES (?, ?, ?, 'null', ?)`,
      kind,
      queue,
      key,
      NOW_MS,
    );
  const addKey = (digest: string) =>
    opened.run(
      `INSERT INTO idempotency_keys (key_digest, request_digest, claim, lease_ms, expires_ms) VALUES (?, '', '', 0, 0)`,
      digest,
    );
  await addKey('a');
  for (const kind of ['one', 'other']) await addJob(kind, kind, '');
  await addJob('queued', 'queued', 'endpoint');
  jobs.start();
  await expect.poll(async () => (await clock.advance(1_000), ended)).toBe(3);
  await jobs.stop();
  const by = { owner: 'this', nowMs: NOW_MS, untilMs: NOW_MS };
  await store.transaction((tx) => renewClaims(tx, 'postgres', [1, 2], by), { guardedBy: ['jobClaims'] });
  await store.transaction((tx) => recordInstance(tx, 'this', NOW_MS, 0), { guardedBy: [] });
  await store.transaction((tx) => countOtherInstances(tx, 'this', NOW_MS), { guardedBy: [] });
  await untilOthersFollow(shared, { instanceId: 'this', offsetMs: 0 });
  await deleteExpiredKeys(store, NOW_MS);
  // What the statements are measured with.
  await addJob('one', 'one', '');
  await addKey('b');
  expect(watched.statementCount()).toBeGreaterThanOrEqual(14);
  expect(await watched.growingStatements(SERVERS)).toEqual([]);
});

const SERVERS: readonly (readonly [RegExp, string])[] = [[/ instances WHERE /, 'the servers on a database']];
