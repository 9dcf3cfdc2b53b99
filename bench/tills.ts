import { startChild } from './child.ts';
import { alternate, median, spreadOf } from './measure.ts';
import type { TillsOrder } from './processes/till-payments.ts';
import type { BenchOptions, Result } from './report.ts';

const CPU_AIM_MS = 2;
const TERMINALS = 20;
const WARM_UP = 3;
const ALONE = 5;

interface Till extends Omit<TillsOrder, 'terminals'> {
  name: string;
}

const TILLS: Till[] = [
  { name: 'ZVT, in a network', language: 'zvt', inNetwork: true },
  { name: 'ZVT, on a serial line', language: 'zvt' },
  { name: 'Caisse-AP', language: 'caisse-ap' },
  { name: 'ECR17', language: 'ecr17', inNetwork: true },
  { name: 'Concert', language: 'concert' },
  {
    name: 'nexo in clear',
    language: 'nexo',
    terminalSettings: { poiId: 'P400Plus-123456789' },
  },
  { name: 'nexo, encrypted', language: 'nexo' },
];

/** Measures the CPU time of a payment at the twin of each payment terminal, driver and twin together. */
export async function benchTills(options: BenchOptions): Promise<Result[]> {
  const results: Result[] = [];
  for (const till of TILLS) results.push(await benchTill(options, till));
  return results;
}

async function benchTill({ quick, profileDir }: BenchOptions, { name, ...order }: Till): Promise<Result> {
  const child = startChild('till-payments', { profileDir });
  try {
    await child.ask('open', { ...order, terminals: TERMINALS } satisfies TillsOrder);
    for (let round = 0; round < WARM_UP; round += 1) await child.ask('pay');
    const taken = await alternate(
      quick ? 3 : 7,
      () => child.ask<number>('replay'),
      () => child.ask<number>('pay'),
    );
    const aloneMs = await child.ask<number>('payAlone', ALONE);
    const ours = median(taken.map((round) => round.ours));
    return {
      name: `till: CPU of a payment in ${name}`,
      unit: 'ms',
      ours,
      bare: median(taken.map(({ bare }) => bare)),
      ratio: spreadOf(taken.map((round) => round.ours / round.bare)),
      aim: `under ${CPU_AIM_MS} ms`,
      met: ours < CPU_AIM_MS,
      details: [
        `${taken.length} rounds of ${TERMINALS} payments at the same time, after ${WARM_UP} rounds: driver and twin in one process, in real time, with the frames in words`,
        `one at a time, of ${ALONE}: ${aloneMs.toFixed(2)} ms`,
        'bare: the same frames over the same kind of cable, between ends that only count bytes',
      ],
    };
  } finally {
    await child.ask('close');
    await child.stop();
  }
}
