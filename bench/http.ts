import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions } from './bench-options.ts';
import { startChild } from './child.ts';
import { alternate, median, medianBefore, spreadOf } from './measure.ts';
import type { Result } from './report.ts';
import {
  CONNECTIONS,
  openOtherSessionServer,
  openSessionServer,
  type Operation,
  type SessionServer,
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
