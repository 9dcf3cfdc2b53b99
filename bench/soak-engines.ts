import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, startChild } from './child.ts';
import { type DatabaseFigures, type DatabaseMeter, openDatabaseMeter } from './database-figures.ts';
import { type ExternalEngines, missingEngines, startExternalEngines } from './external-engines.ts';
import { msSince, pauseMs } from './measure.ts';
import type { OurServer } from './processes/our-server.ts';
import type { ProcessMemory } from './processes/parent-requests.ts';
import type { BenchOptions, Result } from './report.ts';
import { lineOf, resultsOf } from './soak-engines-results.ts';
import {
  advanceClock,
  openPayers,
  openSandboxChanges,
  type Payer,
  type SandboxChanges,
  type Timed,
} from './soak-load.ts';
import { startSharingServers } from './sharing-servers.ts';
import { openWebhookSink, type WebhookSink } from './webhook-sink.ts';

const PARTS = 10;
const MINUTES = 10;

// What is older than a day is deleted.
const SETTINGS = { RETENTION_DAYS: '1', SANDBOX_SLEEP_AFTER: '60' };

/** What was done in one part of the time. */
interface Work {
  /** Of requests in `default`. */
  waitsMs: number[];
  /** Of creations, payments and deletions of other sandboxes. */
  sandboxesMs: number[];
  payments: number;
  sandboxes: number;
  /** What did not succeed. */
  failures: string[];
}

/** What was done in one part of the time, and what there is at its end. */
export interface Part extends Work {
  database: DatabaseFigures;
  memory: ProcessMemory[];
  load: number;
}

/**
 * Takes five payments a second on two servers that share PostgreSQL and mosquitto, while every two seconds another sandbox is
 * created, used and deleted. At the end of each tenth of the time it measures waits, database and memory, and advances the
 * clock by a day, so that what is older is deleted.
 */
export async function benchSoakEngines({ minutes = MINUTES }: BenchOptions): Promise<Result[]> {
  const missing = await missingEngines();
  if (missing.length > 0) throw new Error(`not installed: ${missing.join(', ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const engines = await startExternalEngines();
  const sink = await openWebhookSink();
  const terminals = startChild('our-fleet');
  const children = [1, 2].map(() => startChild('our-server', { exposeGc: true }));
  const meter = openDatabaseMeter(engines.settings['DATABASE_URL']!);
  try {
    const servers = await startSharingServers(children, { folder, engines, hosts: true, settings: SETTINGS });
    return resultsOf(await soak({ minutes, servers, children, terminals, engines, sink, meter }));
  } finally {
    await terminals.stop();
    await Promise.all(children.map((child) => child.stop()));
    await meter.close();
    await engines.stop();
    sink.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Soak {
  minutes: number;
  servers: OurServer[];
  children: readonly Child[];
  terminals: Child;
  engines: ExternalEngines;
  sink: WebhookSink;
  meter: DatabaseMeter;
}

async function soak({ minutes, servers, children, meter, ...others }: Soak): Promise<Part[]> {
  const payers = await openPayers({ servers, ...others });
  const sandboxes = await openSandboxChanges(servers);
  const parts: Part[] = [];
  while (parts.length < PARTS) {
    const work = await workFor((minutes * 60_000) / PARTS, payers, sandboxes);
    const memory = await Promise.all(children.map((child) => child.ask<ProcessMemory>('memory')));
    const part = { ...work, memory, database: await meter.measure(), load: loadavg()[0]! };
    parts.push(part);
    process.stderr.write(`${lineOf(part, parts[0]!)}\n`);
    // While nothing is paid: a day ends each action that waits for a card.
    await advanceClock(servers);
  }
  for (const { close } of [sandboxes, ...payers]) close();
  return parts;
}

/** Has the payers pay and sandboxes come and go for some time, and finishes what was begun. */
async function workFor(ms: number, payers: readonly Payer[], sandboxes: SandboxChanges): Promise<Work> {
  const work: Work = { waitsMs: [], sandboxesMs: [], payments: 0, sandboxes: 0, failures: [] };
  const startNs = process.hrtime.bigint();
  const every = async (periodMs: number, run: () => Promise<void>) => {
    for (let round = 1; msSince(startNs) < ms; round += 1) {
      await run().catch((error: unknown) => work.failures.push(String(error)));
      await pauseMs(Math.max(0, round * periodMs - msSince(startNs)));
    }
  };
  const timed = timedInto(work.waitsMs);
  const timedSandboxes = timedInto(work.sandboxesMs);
  await Promise.all([
    ...payers.map(({ everyMs, pay }) =>
      every(everyMs, async () => {
        await pay(timed);
        work.payments += 1;
      }),
    ),
    every(sandboxes.everyMs, async () => {
      await sandboxes.next(timedSandboxes);
      work.sandboxes += 1;
    }),
  ]);
  return work;
}

function timedInto(waitsMs: number[]): Timed {
  return async (request) => {
    const startNs = process.hrtime.bigint();
    const result = await request();
    waitsMs.push(msSince(startNs));
    return result;
  };
}
