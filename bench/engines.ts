import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BenchOptions, Result } from './report.ts';
import { alternate, median, spreadOf, timeEach, type Round } from './measure.ts';
import { openOurShop, takePayments, type Shop } from './payment-shop.ts';
import { CONNECTIONS, fillOverHttp, targetOf, type Rates, type SessionServer } from './session-server.ts';
import { openWebhookSink } from './webhook-sink.ts';
import { serverCredentials, terminalCredentials } from '../server/platform/broker/terminal-credentials.ts';
import { startAdmittingBroker } from '../test/system/stores/external-engines.ts';
import { findPrograms, startPostgres } from '../test/system/stores/postgres-server.ts';

const SESSIONS = 1_000;
// On a busy machine more would wait longer for one of the 16 connections to PostgreSQL than a request may.
const TERMINALS = 32;
const MEASURED = ['create', 'fetch', 'first page'] as const;

/** What is measured of a server, on its own engines or external ones. */
interface Measured {
  rates: Rates;
  paymentMs: number;
  paymentsPerSecond: number;
}

/** Measures the server on PostgreSQL and mosquitto beside the same server on its embedded store and broker. */
export async function benchEngines({ quick, profileDir }: BenchOptions): Promise<Result[]> {
  const missing = await missingEngines();
  if (missing.length > 0) {
    process.stderr.write(`engines: skipped, because of what is not installed: ${missing.join(', ')}\n`);
    return [];
  }
  const [rounds, plan] = quick
    ? [3, { requests: 500, single: 30, atOnce: 400 }]
    : [5, { requests: 1_000, single: 60, atOnce: 1_000 }];
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const sink = await openWebhookSink();
  const engines = await startExternalEngines();
  const shops: Shop[] = [];
  try {
    const open = async (name: string, external?: typeof engines) => {
      const dataDir = join(folder, name);
      const shop = await openOurShop({ dataDir, profileDir, ...external }, sink);
      shops.push(shop);
      return { shop, sessions: await fillOverHttp(targetOf(shop), SESSIONS, async () => {}) };
    };
    const embedded = await open('embedded');
    const external = await open('external', engines);
    const taken = await alternate(
      rounds,
      () => measure(embedded, plan),
      () => measure(external, plan),
    );
    return resultsOf(taken, plan);
  } finally {
    await Promise.all(shops.map((shop) => shop.close()));
    await engines.stop();
    sink.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Plan {
  requests: number;
  /** Payments one at a time. */
  single: number;
  /** Payments at `TERMINALS` at once. */
  atOnce: number;
}

async function measure(
  { shop, sessions }: { shop: Shop; sessions: SessionServer },
  { requests, single, atOnce }: Plan,
): Promise<Measured> {
  const rates = await sessions.measure(requests, MEASURED);
  const times = await timeEach(single, () => shop.pay(0));
  const { perSecond } = await takePayments(shop, atOnce, TERMINALS);
  return { rates, paymentMs: median(times), paymentsPerSecond: perSecond };
}

function resultsOf(taken: Round<Measured, Measured>[], plan: Plan): Result[] {
  const what = `${taken.length} rounds; ours: PostgreSQL, which syncs, and mosquitto; bare: the same server on its own store and broker`;
  const row = (
    name: string,
    unit: Result['unit'],
    value: (measured: Measured) => number,
    details: string[],
  ): Result => ({
    name: `engines: ${name}`,
    unit,
    ours: median(taken.map(({ ours }) => value(ours))),
    bare: median(taken.map(({ bare }) => value(bare))),
    ratio: spreadOf(taken.map(({ ours, bare }) => value(ours) / value(bare))),
    aim: null,
    met: null,
    details: [...details, what],
  });
  return [
    ...MEASURED.map((operation) =>
      row(operation, '/s', ({ rates }) => rates[operation], [
        `payment sessions a second over ${CONNECTIONS} connections, ${plan.requests} requests`,
      ]),
    ),
    row('payment, POST to last webhook', 'ms', ({ paymentMs }) => paymentMs, [
      `${plan.single} payments, one at a time`,
    ]),
    row(`payments, ${TERMINALS} terminals at once`, '/s', ({ paymentsPerSecond }) => paymentsPerSecond, [
      `${plan.atOnce} payments`,
    ]),
  ];
}

const PAIRING_SECRET = 'a pairing secret of the bench, long enough';
// That of a terminal that is paired for the first time.
const FIRST_GENERATION = 1;

/** A PostgreSQL that syncs what it commits, and a mosquitto with the users and rules of `tapbench broker-acl`. */
interface ExternalEngines {
  /** Settings of the server that uses them. */
  settings: Record<string, string>;
  /** Lets terminals connect to mosquitto. */
  admit(terminalIds: string[]): Promise<void>;
  stop(): Promise<void>;
}

/** Returns what is not installed, in the words of the command that installs it. */
async function missingEngines(): Promise<string[]> {
  const isThere = async (found: Promise<unknown>) => found.then(() => true).catch(() => false);
  const mosquitto = promisify(execFile)('sh', ['-c', 'command -v mosquitto']);
  return [
    ...((await isThere(findPrograms())) ? [] : ['postgresql']),
    ...((await isThere(mosquitto)) ? [] : ['mosquitto']),
  ];
}

async function startExternalEngines(): Promise<ExternalEngines> {
  const postgres = await startPostgres({ durable: true });
  const broker = await startAdmittingBroker(serverCredentials(PAIRING_SECRET, 'bench')).catch(
    async (error: unknown) => {
      await postgres.stop();
      throw error;
    },
  );
  return {
    settings: { DATABASE_URL: postgres.url, MQTT_URL: broker.url, PAIRING_SECRET },
    async admit(terminalIds) {
      const users = terminalIds.map((id) => terminalCredentials(PAIRING_SECRET, id, FIRST_GENERATION));
      await Promise.all(users.map((user) => broker.admit(user)));
    },
    async stop() {
      await broker.stop();
      await postgres.stop();
    },
  };
}
