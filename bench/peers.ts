import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions } from './bench-options.ts';
import { startChild } from './child.ts';
import { alternate, median, spreadOf, type Round } from './measure.ts';
import { installPeers, PEERS, type Peer } from './peer-servers.ts';
import type { Result } from './report.ts';
import { CONNECTIONS, openSessionServer, type Rates } from './session-server.ts';

const SESSIONS = 1_000;
// Ours is measured beside each peer: without it, it would be cold beside the first alone.
const WARM_UP = 2_000;
const MEASURED = ['create', 'fetch', 'first page'] as const;

/** Measures payment sessions over HTTP beside other servers to develop against. */
export async function benchPeers({ quick, profileDir }: BenchOptions): Promise<Result[]> {
  const [rounds, requests] = quick ? [3, 300] : [7, 600];
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const dataDir = join(folder, 'ours');
  const ours = await openSessionServer(startChild('our-server', { profileDir }), SESSIONS, { dataDir });
  try {
    await installPeers(folder);
    await ours.measure(WARM_UP, MEASURED);
    const results: Result[] = [];
    for (const peer of PEERS) {
      const theirs = await peer.open(folder, SESSIONS);
      try {
        const taken = await alternate(
          rounds,
          () => theirs.measure(requests, MEASURED),
          () => ours.measure(requests, MEASURED),
        );
        results.push(resultOf(peer, taken, `${taken.length} rounds of ${requests} of each`));
      } finally {
        await theirs.close();
      }
    }
    return results;
  } finally {
    await ours.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function resultOf({ name, ratioMin, note }: Peer, taken: Round<Rates, Rates>[], what: string): Result {
  const ratio = spreadOf(taken.map(({ ours, bare }) => pairRate(ours) / pairRate(bare)));
  const ratiosOf = MEASURED.map((operation) => {
    const each = median(taken.map(({ ours, bare }) => ours[operation] / bare[operation]));
    return `${operation} ${each.toFixed(2)}`;
  });
  return {
    name: `http: beside ${name}`,
    unit: '/s',
    ours: median(taken.map(({ ours }) => pairRate(ours))),
    bare: median(taken.map(({ bare }) => pairRate(bare))),
    ratio,
    aim: `at least ${ratioMin} of it`,
    met: ratio.median >= ratioMin,
    details: [
      `requests a second over ${CONNECTIONS} connections, as many creates as fetches; ${what}`,
      `ratio of each: ${ratiosOf.join(', ')}`,
      `bare: ${name} in a process of its own: ${note}`,
      'ours: each create is on disk before its reply',
    ],
  };
}

/** Returns the requests a second of as many creates as fetches. */
function pairRate({ create, fetch }: Rates): number {
  return 2 / (1 / create + 1 / fetch);
}
