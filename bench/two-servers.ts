import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from './child.ts';
import { missingEngines, startExternalEngines } from './external-engines.ts';
import { alternate, median, msSince, pauseMs, spreadOf, type Round } from './measure.ts';
import { openTills, TERMINALS } from './payment-shop.ts';
import type { TerminalsRequest } from './processes/our-fleet.ts';
import type { ProcessUsage } from './processes/parent-requests.ts';
import type { BenchOptions, Result } from './report.ts';
import { startSharingServers } from './sharing-servers.ts';
import { openWebhookSink, type WebhookSink } from './webhook-sink.ts';

// Less than one server reaches, so that neither side falls behind.
const PAYMENTS_PER_SECOND = 20;
const RATIO_MAX = 1.1;

/** CPU time of a payment, milliseconds. */
interface PaymentCpu {
  serversMs: number;
  databaseMs: number;
}

/** Measures the CPU of two servers and their database for a payment, beside one server and its database, at one rate. */
export async function benchTwoServers({ quick, profileDir }: BenchOptions): Promise<Result[]> {
  const missing = await missingEngines();
  if (missing.length > 0) {
    process.stderr.write(`two servers: skipped, because of what is not installed: ${missing.join(', ')}\n`);
    return [];
  }
  const [rounds, payments] = quick ? [3, 200] : [5, 400];
  const shops: SharingShop[] = [];
  const open = async (count: number) => {
    const shop = await openSharingShop(count, profileDir);
    shops.push(shop);
    return shop;
  };
  try {
    const [one, two] = [await open(1), await open(2)];
    const taken = await alternate(
      rounds,
      () => measure(one, payments),
      () => measure(two, payments),
    );
    return [resultOf(taken, payments)];
  } finally {
    for (const shop of shops) await shop.close();
  }
}

interface SharingShop {
  /** CPU time of all servers, and of PostgreSQL, so far. */
  cpu(): Promise<PaymentCpu>;
  pay(terminal: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts so many servers on engines of their own, and terminals in one process, whose payments are sent to all of them. */
async function openSharingShop(count: number, profileDir: string | undefined): Promise<SharingShop> {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const sink: WebhookSink = await openWebhookSink();
  const engines = await startExternalEngines();
  const children = Array.from({ length: count }, () => startChild('our-server', { profileDir }));
  const terminals = startChild('our-fleet');
  const closeAll = async () => {
    await terminals.stop();
    await Promise.all(children.map((child) => child.stop()));
    await engines.stop();
    sink.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const servers = await startSharingServers(children, { folder, engines });
    const { url, secretKey } = servers[0]!;
    const mqttUrl = engines.settings['MQTT_URL']!;
    const tills = await openTills(servers, sink, async (terminalIds) => {
      await engines.admit(terminalIds);
      await terminals.ask('start', { url, secretKey, mqttUrl, terminalIds } satisfies TerminalsRequest);
    });
    return {
      async cpu() {
        const used = await Promise.all(children.map((child) => child.ask<ProcessUsage>('usage')));
        const serversMs = used.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
        return { serversMs, databaseMs: engines.databaseCpuMs() };
      },
      pay: tills.pay,
      async close() {
        tills.close();
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Starts a payment at the next terminal at a fixed rate, however long each takes. */
async function measure(shop: SharingShop, payments: number): Promise<PaymentCpu> {
  const before = await shop.cpu();
  const startNs = process.hrtime.bigint();
  const payAtItsTime = async (_: unknown, index: number) => {
    await pauseMs(Math.max(0, (index * 1000) / PAYMENTS_PER_SECOND - msSince(startNs)));
    await shop.pay(index % TERMINALS);
  };
  await Promise.all(Array.from({ length: payments }, payAtItsTime));
  const after = await shop.cpu();
  return {
    serversMs: (after.serversMs - before.serversMs) / payments,
    databaseMs: (after.databaseMs - before.databaseMs) / payments,
  };
}

function resultOf(taken: Round<PaymentCpu, PaymentCpu>[], payments: number): Result {
  const total = ({ serversMs, databaseMs }: PaymentCpu) => serversMs + databaseMs;
  const ratio = spreadOf(taken.map(({ ours, bare }) => total(ours) / total(bare)));
  const parts = (cpu: PaymentCpu[]) => {
    const [servers, database] = [cpu.map((each) => each.serversMs), cpu.map((each) => each.databaseMs)];
    return `servers ${median(servers).toFixed(1)} ms, PostgreSQL ${median(database).toFixed(1)} ms`;
  };
  return {
    name: 'two servers: CPU of a payment, with that of the database',
    unit: 'ms',
    ours: median(taken.map(({ ours }) => total(ours))),
    bare: median(taken.map(({ bare }) => total(bare))),
    ratio,
    aim: `at most ${RATIO_MAX} times one server`,
    met: ratio.median <= RATIO_MAX,
    details: [
      `${taken.length} rounds of ${payments} payments, ${PAYMENTS_PER_SECOND} a second, at ${TERMINALS} terminals of one process`,
      `ours: two servers on one PostgreSQL and mosquitto, each gets half of the requests: ${parts(taken.map(({ ours }) => ours))}`,
      `bare: one server on its own PostgreSQL and mosquitto: ${parts(taken.map(({ bare }) => bare))}`,
    ],
  };
}
