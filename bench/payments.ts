import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions, Result } from './report.ts';
import { alternate, median, medianBefore, spreadOf, type Round } from './measure.ts';
import { openOtherShop } from './other-shop.ts';
import {
  openBareShop,
  openOurShop,
  PARTS,
  takePayments,
  TERMINALS,
  type PaymentsTaken,
} from './payment-shop.ts';
import { openWebhookSink } from './webhook-sink.ts';

const RATIO_MIN = 0.4;
const CPU_MS_MAX = 1.5;

/** Measures payments at 200 terminals at once, beside the bare parts under the same concurrency. */
export async function benchPayments({ quick, profileDir, compare }: BenchOptions): Promise<Result[]> {
  const [rounds, payments] = quick ? [3, 600] : [7, 2_000];
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const sink = await openWebhookSink();
  const bare = await openBareShop(folder, sink);
  const ours = await openOurShop({ dataDir: join(folder, 'ours'), profileDir }, sink);
  const before =
    compare === undefined ? undefined : await openOtherShop(compare, join(folder, 'before'), sink);
  try {
    const taken = await alternate(
      rounds,
      () => takePayments(bare, payments),
      () => takePayments(ours, payments),
      before === undefined ? undefined : () => takePayments(before, payments),
    );
    return resultsOf(
      taken,
      `${taken.length} rounds of ${payments} payments at ${TERMINALS} terminals in one process`,
    );
  } finally {
    await Promise.all([bare.close(), ours.close(), before?.close()]);
    sink.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function resultsOf(taken: Round<PaymentsTaken, PaymentsTaken>[], what: string): Result[] {
  const { roundTrips, appendsOfRoundTrip, webhooks } = PARTS;
  const common = (of: (value: PaymentsTaken) => number) => ({
    ours: median(taken.map(({ ours }) => of(ours))),
    bare: median(taken.map(({ bare }) => of(bare))),
    before: medianBefore(taken, of),
    ratio: spreadOf(taken.map(({ ours, bare }) => of(ours) / of(bare))),
  });
  const rate = common(({ perSecond }) => perSecond);
  const cpu = common(({ cpuMs }) => cpuMs);
  return [
    {
      name: `payments: ${TERMINALS} terminals at once`,
      unit: '/s',
      ...rate,
      aim: `at least ${RATIO_MIN} of bare`,
      met: rate.ratio.median >= RATIO_MIN,
      details: [
        `${what}, from the POST until the webhook has received every event`,
        `bare: node:http, aedes, mqtt.js and undici in the same two processes; for each payment a durable POST, ${roundTrips} QoS 1 round trips with ${appendsOfRoundTrip} appends after each, ${webhooks} signed webhooks with an append after each; appends that wait share a sync`,
      ],
    },
    {
      name: "payments: server's CPU for each",
      unit: 'ms',
      ...cpu,
      aim: `at most ${CPU_MS_MAX} ms`,
      met: cpu.ours <= CPU_MS_MAX,
      details: ['user and system time of the server process, its broker and its disk threads included'],
    },
  ];
}

const FIRST = 1_000;
const CHECKPOINTS = [FIRST, 2_000, 5_000, 10_000, 20_000, 50_000];
const RATIO_MAX = 1.5;

/** Measures the memory of a server after many payments, beside its memory after the first thousand. */
export async function benchPaymentMemory({ quick, payments }: BenchOptions): Promise<Result[]> {
  const count = payments ?? (quick ? 3_000 : 10_000);
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const sink = await openWebhookSink();
  const shop = await openOurShop({ dataDir: join(folder, 'ours'), exposeGc: true }, sink);
  const kilobytes = async () => (await shop.usage()).bytes / 1024;
  try {
    const measured: { payments: number; kilobytes: number }[] = [];
    for (const taken of [...CHECKPOINTS.filter((each) => each < count), count]) {
      await takePayments(shop, taken - (measured.at(-1)?.payments ?? 0));
      measured.push({ payments: taken, kilobytes: await kilobytes() });
      process.stderr.write(`${shown(measured.at(-1)!)}\n`);
    }
    const [bare, ours] = [measured[0]!.kilobytes, measured.at(-1)!.kilobytes];
    return [
      {
        name: `payments: memory after ${count.toLocaleString('en-GB')}`,
        unit: 'KB',
        ours,
        bare,
        ratio: spreadOf([ours / bare]),
        aim: `at most ${RATIO_MAX} of ${FIRST.toLocaleString('en-GB')}`,
        met: ours <= RATIO_MAX * bare,
        details: [
          `resident memory of the server after garbage collection; bare: the same server after ${FIRST} payments`,
          `on the way: ${measured.map(shown).join(', ')}`,
          `${TERMINALS} terminals at once and a webhook that receives every event; --payments sets how many`,
        ],
      },
    ];
  } finally {
    await shop.close();
    sink.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function shown({ payments, kilobytes }: { payments: number; kilobytes: number }): string {
  return `${(kilobytes / 1024).toFixed(0)} MB after ${payments.toLocaleString('en-GB')} payments`;
}
