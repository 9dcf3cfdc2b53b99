import { join } from 'node:path';
import { packageRoot } from '../protocol/package-root.ts';
import type { BenchOptions } from './bench-options.ts';
import { startChild } from './child.ts';
import { alternate, median, spreadOf } from './measure.ts';
import type { HuntsRequest } from './processes/hunts.ts';
import type { Result } from './report.ts';

const AIM_PER_SECOND = 50;

/** Measures how many plans of faults a hunt tries in a second of CPU time, with an in-person payment in each. */
export async function benchHunt({ quick, profileDir }: BenchOptions): Promise<Result[]> {
  const [rounds, plans] = quick ? [3, 40] : [5, 300];
  const bare = startChild('hunts');
  const ours = startChild('hunts', { profileDir });
  const module = join(packageRoot(), 'dist/testing/hunt/hunt.js');
  const measure = (child: typeof bare, of: string | undefined) =>
    child.ask<number>('measure', { plans, module: of } satisfies HuntsRequest);
  try {
    const taken = await alternate(
      rounds,
      () => measure(bare, undefined),
      () => measure(ours, module),
    );
    const [mine, baseline] = [
      median(taken.map((round) => round.ours)),
      median(taken.map((round) => round.bare)),
    ];
    return [
      {
        name: 'hunt: plans of faults for a second of one core',
        unit: '/s',
        ours: mine,
        bare: baseline,
        ratio: spreadOf(taken.map((round) => round.ours / round.bare)),
        aim: `at least ${AIM_PER_SECOND}/s`,
        met: mine >= AIM_PER_SECOND,
        details: [
          `${taken.length} rounds of ${plans} plans, by CPU time: each is a fork of a world with a terminal, an in-person payment with faults, an hour of virtual time and the verdicts`,
          'bare: an empty SQLite database with one table, a node:http server on a port, and a GET of the rows',
        ],
      },
    ];
  } finally {
    await Promise.all([bare.stop(), ours.stop()]);
  }
}
