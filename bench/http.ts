import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions } from './bench-options.ts';
import { startChild } from './child.ts';
import { alternate, median, spreadOf } from './measure.ts';
import type { Result } from './report.ts';
import { CONNECTIONS, openSessionServer, type Operation, type SessionServer } from './session-server.ts';

const SESSIONS = 1_000;

/** Minimum rate of each operation relative to the baseline. */
const RATIO_MIN: [Operation, number][] = [
  ['create', 0.55],
  ['fetch', 0.65],
  ['first page', 0.25],
];

/** Measures creating, fetching and listing payment sessions over HTTP; a create is durable before its reply. */
export async function benchHttp({ quick, profileDir }: BenchOptions): Promise<Result[]> {
  const [rounds, requests] = quick ? [3, 1_000] : [7, 3_000];
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const opened: SessionServer[] = [];
  const open = async (...given: Parameters<typeof openSessionServer>) => {
    const server = await openSessionServer(...given);
    opened.push(server);
    return server;
  };
  try {
    const bare = await open(startChild('bare-http'), SESSIONS, { path: join(folder, 'bare.log') });
    const ours = await open(startChild('our-server', { profileDir }), SESSIONS, {
      dataDir: join(folder, 'ours'),
    });
    const taken = await alternate(
      rounds,
      () => bare.measure(requests),
      () => ours.measure(requests),
    );
    return RATIO_MIN.map(([operation, ratioMin]) => {
      const ratio = spreadOf(taken.map((round) => round.ours[operation] / round.bare[operation]));
      return {
        name: `http: ${operation}${operation === 'create' ? ', durable' : ''}`,
        unit: '/s',
        ours: median(taken.map((round) => round.ours[operation])),
        bare: median(taken.map((round) => round.bare[operation])),
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
