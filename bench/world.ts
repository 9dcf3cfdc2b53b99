import { join } from 'node:path';
import { packageRoot } from '../protocol/package-root.ts';
import { type BenchOptions, type Result, timesResult } from './report.ts';
import { startChild } from './child.ts';
import { alternate, median, spreadOf } from './measure.ts';
import type { WorldsRequest, HuntsRequest } from './processes/worlds.ts';

const AIM_MS = 10;

const FORK_AIM_MS = 10;

// How many times as fast as the other checkout's way to the same point a fork is.
const FORK_AIM_TIMES = 7;

const BARE =
  'bare: an empty SQLite database with one table, a node:http server on a port, and a GET of the rows';

/** Measures the time from the start of a test world to the response of its first call, in a process that has started some. */
export async function benchWorld({ quick, compare }: BenchOptions): Promise<Result[]> {
  const [rounds, count] = quick ? [3, 10] : [7, 50];
  const bare = openWorlds(count, undefined);
  const ours = openWorlds(count, packageRoot());
  const before = compare === undefined ? undefined : openWorlds(count, compare);
  const forks = openWorlds(count, packageRoot(), 'fork');
  const prepared = compare === undefined ? undefined : openWorlds(count, compare, 'prepare');
  try {
    return [
      timesResult({
        name: 'a test world, start to first call',
        aimMs: AIM_MS,
        taken: await alternate(rounds, bare.measure, ours.measure, before?.measure),
        tail: 0.9,
        details: [
          'ours: `startWorld` of tapbench/world and a GET of the customers, in one process; closing is not counted',
          BARE,
        ],
      }),
      besidePreparing(
        timesResult({
          name: 'a test world, fork of a prepared one to first call',
          aimMs: FORK_AIM_MS,
          taken: await alternate(rounds, bare.measure, forks.measure, prepared?.measure),
          tail: 0.9,
          details: [
            'ours: `world.fork()` of a world with a terminal and a payment, and a GET of the customers; closing is not counted',
            'before: the start of a world, a terminal, a payment, and the GET',
            BARE,
          ],
        }),
      ),
    ];
  } finally {
    await Promise.all([bare.stop(), ours.stop(), before?.stop(), forks.stop(), prepared?.stop()]);
  }
}

/** Compares a fork with what the other checkout does to reach the same point, where one is measured. */
function besidePreparing(row: Result): Result {
  if (row.before === undefined) return row;
  return {
    ...row,
    aim: `before, divided by ${FORK_AIM_TIMES}`,
    met: row.ours * FORK_AIM_TIMES <= row.before,
  };
}

/** Starts a process for the worlds of a checkout, or for the baseline. */
function openWorlds(count: number, checkout: string | undefined, begin?: WorldsRequest['begin']) {
  const child = startChild('worlds');
  const module = checkout && join(checkout, 'dist/testing/world/user-world.js');
  return {
    measure: () => child.ask<number[]>('measureWorlds', { count, module, begin } satisfies WorldsRequest),
    stop: () => child.stop(),
  };
}

const HUNT_AIM_PER_SECOND = 50;

/** Measures how many plans of faults a hunt tries in a second of CPU time, with an in-person payment in each. */
export async function benchHunt({ quick, profileDir }: BenchOptions): Promise<Result[]> {
  const [rounds, plans] = quick ? [3, 40] : [5, 300];
  const bare = startChild('worlds');
  const ours = startChild('worlds', { profileDir });
  const module = join(packageRoot(), 'dist/testing/hunt/hunt.js');
  const measure = (child: typeof bare, of: string | undefined) =>
    child.ask<number>('measureHunts', { plans, module: of } satisfies HuntsRequest);
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
        aim: `at least ${HUNT_AIM_PER_SECOND}/s`,
        met: mine >= HUNT_AIM_PER_SECOND,
        details: [
          `${taken.length} rounds of ${plans} plans, by CPU time: each is a fork of a world with a terminal, an in-person payment with faults, an hour of virtual time and the verdicts`,
          BARE,
        ],
      },
    ];
  } finally {
    await Promise.all([bare.stop(), ours.stop()]);
  }
}
