import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions, Result } from './report.ts';
import { missingEngines, startExternalEngines } from './external-engines.ts';
import { alternate, median, spreadOf, timeEach, type Round } from './measure.ts';
import { openOurShop, takePayments, TERMINALS as ALL_TERMINALS, type Shop } from './payment-shop.ts';
import {
  CONNECTIONS,
  fillOverHttp,
  OPERATIONS,
  targetOf,
  type Rates,
  type SessionServer,
} from './session-server.ts';
import { openWebhookSink } from './webhook-sink.ts';

const SESSIONS = 1_000;
// On a busy machine more would wait longer for one of the 16 connections to PostgreSQL than a request may.
const TERMINALS = 32;

/** What is measured of a server, on its own engines or external ones. */
interface Measured {
  rates: Rates;
  paymentMs: number;
  paymentsPerSecond: number;
  /** At all terminals of the fleet at once; not in a quick run. */
  fleetPaymentsPerSecond: number | undefined;
}

/** Measures the server on PostgreSQL and mosquitto beside the same server on its embedded store and broker. */
export async function benchEngines({ quick, profileDir }: BenchOptions): Promise<Result[]> {
  const missing = await missingEngines();
  if (missing.length > 0) {
    process.stderr.write(`engines: skipped, because of what is not installed: ${missing.join(', ')}\n`);
    return [];
  }
  const [rounds, plan] = quick
    ? [3, { requests: 500, single: 30, atOnce: 400, withFleet: false }]
    : [5, { requests: 1_000, single: 60, atOnce: 1_000, withFleet: true }];
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
  /** Whether as many are taken at all terminals at once. */
  withFleet: boolean;
}

async function measure(
  { shop, sessions }: { shop: Shop; sessions: SessionServer },
  { requests, single, atOnce, withFleet }: Plan,
): Promise<Measured> {
  const rates = await sessions.measure(requests);
  const times = await timeEach(single, () => shop.pay(0));
  const { perSecond } = await takePayments(shop, atOnce, TERMINALS);
  const fleet = withFleet ? await takePayments(shop, atOnce) : undefined;
  return {
    rates,
    paymentMs: median(times),
    paymentsPerSecond: perSecond,
    fleetPaymentsPerSecond: fleet?.perSecond,
  };
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
    ...OPERATIONS.map((operation) =>
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
    ...(plan.withFleet
      ? [
          row(
            `payments, ${ALL_TERMINALS} terminals at once`,
            '/s',
            ({ fleetPaymentsPerSecond }) => fleetPaymentsPerSecond!,
            [`${plan.atOnce} payments`],
          ),
        ]
      : []),
  ];
}
