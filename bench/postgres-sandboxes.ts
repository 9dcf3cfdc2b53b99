import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../protocol/log.ts';
import { createTables } from '../server/platform/store/migrations/migrate.ts';
import { openSchemas } from '../server/platform/store/postgres.ts';
import type { Store } from '../server/platform/store/store.ts';
import { findPrograms, startPostgres } from '../test/system/stores/postgres-server.ts';
import { type BenchOptions, type Result, timesResult } from './report.ts';
import { startChild } from './child.ts';
import { alternate, pauseMs, timeEach } from './measure.ts';
import type { OurServer } from './processes/our-server.ts';
import { openSandboxApi, type SandboxApi } from './sandbox-api.ts';

const POLL_MS = 50;

interface PostgresSandboxesPlan {
  /** What each sandbox that is forked has paid. */
  session: object;
  payments: number;
  createAimMs: number;
  forkAimMs: number;
}

/** Measures how long it takes to create and to fork a sandbox on PostgreSQL, beside making a schema with its tables. */
export async function benchPostgresSandboxes(
  { quick, profileDir }: BenchOptions,
  plan: PostgresSandboxesPlan,
): Promise<Result[]> {
  if ((await findPrograms().catch(() => undefined)) === undefined) {
    process.stderr.write('sandboxes on PostgreSQL: skipped, because postgresql is not installed\n');
    return [];
  }
  const [rounds, count] = quick ? [3, 5] : [5, 10];
  const dataDir = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const postgres = await startPostgres({ durable: true });
  const schemas = openSchemas({ url: postgres.url, log: silentLog });
  const child = startChild('our-server', { profileDir });
  try {
    const settings = { DATABASE_URL: postgres.url, SANDBOX_POOL: String(count) };
    const started = await child.ask<OurServer>('start', {
      dataDir,
      withTerminal: false,
      hosts: true,
      settings,
    });
    const api = await openSandboxApi(started);
    const results = await measure({ api, store: schemas.store(), rounds, count }, plan);
    api.close();
    return results;
  } finally {
    await child.stop();
    await schemas.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Measured {
  api: SandboxApi;
  store: Store;
  rounds: number;
  count: number;
}

async function measure(
  measured: Measured,
  { session, payments, createAimMs, forkAimMs }: PostgresSandboxesPlan,
): Promise<Result[]> {
  const { api } = measured;
  await api.create('paid');
  for (let payment = 0; payment < payments; payment += 1) await api.pay('paid', session);
  const bare = 'bare: a schema with the same tables, made in one statement and committed';
  const ready = `schemas are ready for the ${measured.count} of a round; PostgreSQL makes others meanwhile`;
  return [
    timesResult({
      name: 'sandboxes on PostgreSQL: create, over HTTP',
      aimMs: createAimMs,
      taken: await timesOf(measured),
      tail: 0.9,
      details: ['a sandbox with accounts, keys and a terminal', ready, bare],
    }),
    timesResult({
      name: `sandboxes on PostgreSQL: fork of one with ${payments} payments`,
      aimMs: forkAimMs,
      taken: await timesOf(measured, 'paid'),
      tail: 0.9,
      details: ['over HTTP; the source is open', ready, bare],
    }),
  ];
}

/** Creates sandboxes in turns with the baseline, and deletes each round’s untimed. */
async function timesOf({ api, store, rounds, count }: Measured, from?: string) {
  const tables = await tablesInOneStatement();
  return alternate(
    rounds,
    async () => {
      await untilReady(store, count);
      const times = await timeEach(count, (index) => makeSchema(store, `bare_${index}`, tables));
      for (let index = 0; index < count; index += 1) await store.run(`DROP SCHEMA bare_${index} CASCADE`);
      return times;
    },
    async () => {
      await untilReady(store, count);
      const times = await timeEach(count, (index) => api.create(`timed-${index}`, from));
      for (let index = 0; index < count; index += 1) await api.remove(`timed-${index}`);
      return times;
    },
  );
}

async function untilReady(store: Store, count: number): Promise<void> {
  const ready = () =>
    store.get<{ count: number }>('SELECT count(*) AS count FROM sandbox_schema_pool WHERE NOT used');
  while ((await ready())!.count < count) await pauseMs(POLL_MS);
}

function makeSchema(store: Store, name: string, tables: string): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.run(`CREATE SCHEMA ${name}`);
    await tx.run(`SET LOCAL search_path TO ${name}`);
    await tx.run(tables);
  });
}

/** Returns the statement that makes the tables of a sandbox. */
async function tablesInOneStatement(): Promise<string> {
  const statements: string[] = [];
  const run = async (sql: string) => ({ changes: statements.push(sql) });
  await createTables({ run }, 'postgres');
  const changes = statements.filter((statement) => !statement.startsWith('INSERT INTO migrations'));
  return `DO $tables$ BEGIN ${changes.join('; ')}; END $tables$`;
}
