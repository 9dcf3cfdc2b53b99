import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../protocol/log.ts';
import { openSchemas } from '../server/platform/store/postgres.ts';
import type { Store } from '../server/platform/store/store.ts';
import { findPrograms, startPostgres } from '../test/system/stores/postgres-server.ts';
import { startChild } from './child.ts';
import { alternate, median, pauseMs, type Round, spreadOf, timeEach } from './measure.ts';
import type { OurServer } from './processes/our-server.ts';
import type { BenchOptions, Result } from './report.ts';
import { openSandboxApi, type SandboxApi } from './sandbox-api.ts';

const POLL_MS = 50;
const FORK_RATIO_MAX = 2.2;

/** What the sandbox that is forked has paid, and how often. */
const SESSION = { amount: 1742, currency: 'GBP', customerEmail: 'bench@example.com' };
const PAYMENTS = 200;

const MEASURED = ['create', 'fork', 'reset', 'delete'] as const;

/** Milliseconds of each call. */
type Times = Record<(typeof MEASURED)[number], number[]>;

/** A server whose sandbox `paid` is forked. */
interface Measured {
  api: SandboxApi;
  /** Resolves when nothing is being prepared in the background. */
  rested(): Promise<void>;
}

/** Measures what is done with sandboxes on PostgreSQL beside the same on the embedded store. */
export async function benchSandboxEngines({ quick, profileDir }: BenchOptions): Promise<Result[]> {
  if ((await findPrograms().catch(() => undefined)) === undefined) {
    process.stderr.write('sandboxes on both engines: skipped, because postgresql is not installed\n');
    return [];
  }
  const [rounds, count] = quick ? [3, 5] : [7, 10];
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const postgres = await startPostgres({ durable: true });
  const schemas = openSchemas({ url: postgres.url, log: silentLog });
  const children = [startChild('our-server', {}), startChild('our-server', { profileDir })];
  const open = async (name: string, index: number, settings: Record<string, string>): Promise<SandboxApi> => {
    const order = { dataDir: join(folder, name), withTerminal: false, hosts: true, settings };
    const api = await openSandboxApi(await children[index]!.ask<OurServer>('start', order));
    await api.create('paid');
    for (let payment = 0; payment < PAYMENTS; payment += 1) await api.pay('paid', SESSION);
    return api;
  };
  try {
    const embedded = { api: await open('embedded', 0, {}), rested: async () => {} };
    const settings = { DATABASE_URL: postgres.url, SANDBOX_POOL: String(count) };
    const external = {
      api: await open('external', 1, settings),
      rested: () => untilReady(schemas.store(), count),
    };
    const taken = await alternate(
      rounds,
      () => measure(embedded, count),
      () => measure(external, count),
    );
    for (const { api } of [embedded, external]) api.close();
    return resultsOf(taken);
  } finally {
    await Promise.all(children.map((child) => child.stop()));
    await schemas.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function untilReady(store: Store, count: number): Promise<void> {
  const ready = () =>
    store.get<{ count: number }>('SELECT count(*) AS count FROM sandbox_schema_pool WHERE NOT used');
  while ((await ready())!.count < count) await pauseMs(POLL_MS);
}

async function measure({ api, rested }: Measured, count: number): Promise<Times> {
  const timed = async (call: (index: number) => Promise<void>) => {
    await rested();
    return timeEach(count, call);
  };
  const create = await timed((index) => api.create(`new-${index}`));
  const fork = await timed((index) => api.create(`fork-${index}`, 'paid'));
  for (let index = 0; index < count; index += 1) await api.use(`fork-${index}`);
  const reset = await timed((index) => api.reset(`fork-${index}`));
  const deleted = await timed((index) => api.remove(`new-${index}`));
  for (let index = 0; index < count; index += 1) await api.remove(`fork-${index}`);
  return { create, fork, reset, delete: deleted };
}

function resultsOf(taken: Round<Times, Times>[]): Result[] {
  const details: Record<keyof Times, string> = {
    create: 'a sandbox with accounts, keys and a terminal',
    fork: `of one with ${PAYMENTS} payments, which is open`,
    reset: `of one with ${PAYMENTS} payments, which is open`,
    delete: 'of one that was created and not used',
  };
  return MEASURED.map((what) => {
    const ratio = spreadOf(taken.map(({ ours, bare }) => median(ours[what]) / median(bare[what])));
    const aimed = what === 'fork';
    return {
      name: `engines: ${what} a sandbox`,
      unit: 'ms',
      ours: median(taken.flatMap(({ ours }) => ours[what])),
      bare: median(taken.flatMap(({ bare }) => bare[what])),
      ratio,
      aim: aimed ? `at most ${FORK_RATIO_MAX} times` : null,
      met: aimed ? ratio.median <= FORK_RATIO_MAX : null,
      details: [
        `${details[what]}; over HTTP, one at a time, ${taken.length} rounds of ${taken[0]!.ours[what].length}`,
        'ours: PostgreSQL, which syncs, with schemas ready for the next sandboxes; bare: the same server on its own store',
      ],
    };
  });
}
