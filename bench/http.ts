import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions, Result } from './report.ts';
import { startChild } from './child.ts';
import { alternate, median, medianBefore, spreadOf, type Round } from './measure.ts';
import {
  CONNECTIONS,
  openOtherSessionServer,
  openSessionServer,
  type Operation,
  type SessionServer,
  OPERATIONS,
  type Rates,
} from './session-server.ts';

const SESSIONS = 1_000;

/** Minimum rate of each operation relative to the baseline. */
const RATIO_MIN: [Operation, number][] = [
  ['create', 0.55],
  ['fetch', 0.65],
  ['first page', 0.25],
];

/** Measures creating, fetching and listing payment sessions over HTTP; a create is durable before its reply. */
export async function benchHttp({ quick, profileDir, compare }: BenchOptions): Promise<Result[]> {
  const [rounds, requests] = quick ? [3, 1_000] : [7, 3_000];
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const opened: SessionServer[] = [];
  const open = async (opening: Promise<SessionServer>) => {
    const server = await opening;
    opened.push(server);
    return server;
  };
  try {
    const bareLog = { path: join(folder, 'bare.log') };
    const bare = await open(openSessionServer(startChild('bare-http'), SESSIONS, bareLog));
    const ourData = { dataDir: join(folder, 'ours') };
    const ours = await open(openSessionServer(startChild('our-server', { profileDir }), SESSIONS, ourData));
    const before =
      compare === undefined
        ? undefined
        : await open(
            openOtherSessionServer(startChild('our-server', { checkout: compare }), SESSIONS, {
              dataDir: join(folder, 'before'),
            }),
          );
    const taken = await alternate(
      rounds,
      () => bare.measure(requests),
      () => ours.measure(requests),
      before === undefined ? undefined : () => before.measure(requests),
    );
    return RATIO_MIN.map(([operation, ratioMin]) => {
      const ratio = spreadOf(taken.map((round) => round.ours[operation] / round.bare[operation]));
      return {
        name: `http: ${operation}${operation === 'create' ? ', durable' : ''}`,
        unit: '/s',
        ours: median(taken.map((round) => round.ours[operation])),
        bare: median(taken.map((round) => round.bare[operation])),
        before: medianBefore(taken, (rates) => rates[operation]),
        ratio,
        aim: `at least ${ratioMin} of bare`,
        met: ratio.median >= ratioMin,
        details: [
          `payment sessions a second over ${CONNECTIONS} connections, ${taken.length} rounds of ${requests}; a page has ten`,
          'bare: node:http, a Map and an array, one fdatasync for all that wait for it',
        ],
      };
    });
  } finally {
    await Promise.all(opened.map((server) => server.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

const SIZES = [1_000, 100_000] as const;

/** Minimum rate with many objects relative to few: the cost of a lookup may only grow with the depth of an index. */
const GROWTH_MIN = 0.8;

/** Measures creating, fetching and listing payment sessions among a thousand and a hundred thousand. */
export async function benchSizes({ quick, profileDir }: BenchOptions): Promise<Result[]> {
  const [rounds, requests] = quick ? [3, 300] : [5, 600];
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const sides: SessionServer[] = [];
  try {
    const bare: SessionServer[] = [];
    const ours: SessionServer[] = [];
    for (const size of SIZES) {
      bare.push(
        await openSessionServer(startChild('bare-http'), size, { path: join(folder, `bare-${size}.log`) }),
      );
      sides.push(bare.at(-1)!);
      const dataDir = join(folder, `ours-${size}`);
      ours.push(await openSessionServer(startChild('our-server', { profileDir }), size, { dataDir }));
      sides.push(ours.at(-1)!);
    }
    const all = async (which: SessionServer[]) => {
      const rates: Rates[] = [];
      for (const side of which) rates.push(await side.measure(requests));
      return rates;
    };
    const taken = await alternate(
      rounds,
      () => all(bare),
      () => all(ours),
    );
    const what = `${taken.length} rounds of ${requests} requests of each kind over ${CONNECTIONS} connections`;
    return SIZES.flatMap((size, index) =>
      OPERATIONS.map((operation) => resultOf(taken, { operation, size, index, what })),
    );
  } finally {
    await Promise.all(sides.map((side) => side.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

function resultOf(
  taken: Round<Rates[], Rates[]>[],
  { operation, size, index, what }: { operation: Operation; size: number; index: number; what: string },
): Result {
  const rate = (rates: Rates[]) => rates[index]![operation];
  const growth = median(taken.map(({ ours }) => rate(ours) / ours[0]![operation]));
  const most = index > 0;
  return {
    name: `sessions: ${operation}, of ${size.toLocaleString('en-GB')}`,
    unit: '/s',
    ours: median(taken.map(({ ours }) => rate(ours))),
    bare: median(taken.map(({ bare }) => rate(bare))),
    ratio: spreadOf(taken.map(({ ours, bare }) => rate(ours) / rate(bare))),
    aim: most ? `at least ${GROWTH_MIN} of 1,000` : null,
    met: most ? growth >= GROWTH_MIN : null,
    details: most
      ? [`${growth.toFixed(2)} of what it is with ${SIZES[0].toLocaleString('en-GB')}, in the same rounds`]
      : [what, 'bare: node:http, a Map and an array; what it lists is what it was sent, without a window'],
  };
}
