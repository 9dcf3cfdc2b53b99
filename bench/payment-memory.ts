import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions } from './bench-options.ts';
import { spreadOf } from './measure.ts';
import { openOurShop, takePayments, TERMINALS } from './payment-shop.ts';
import type { Result } from './report.ts';
import { openWebhookSink } from './webhook-sink.ts';

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
