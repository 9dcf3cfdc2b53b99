import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BenchOptions, Result } from './report.ts';
import { startChild } from './child.ts';
import { alternate, median, spreadOf, type Round } from './measure.ts';
import {
  CONNECTIONS,
  openSessionServer,
  type Rates,
  fillOverHttp,
  SESSIONS_PATH,
  targetOf,
  type SessionServer,
  type SessionTarget,
} from './session-server.ts';
import { packageRoot } from '../protocol/package-root.ts';
import { freePort } from '../test/kit/free-port.ts';
import { startListener } from '../test/system/brokers/child-broker.ts';

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

/** Versions that are installed for a run. They are no dependencies of Tapbench. */
const PACKAGES = { prism: '@stoplight/prism-cli@5.16.0', jsonServer: 'json-server@0.17.4' };

/** Another way to have a server to develop against. */
interface Peer {
  name: string;
  /** Lowest rate of ours relative to it. */
  ratioMin: number;
  /** What it does, and what becomes of what it was sent. */
  note: string;
  /** Starts it in a process of its own and creates `size` sessions. `folder` has the packages. */
  open(folder: string, size: number): Promise<SessionServer>;
}

const PEERS: readonly Peer[] = [
  {
    name: 'Fastify with a Map',
    ratioMin: 0.6,
    note: 'keeps objects in memory, gone when it ends; checks nothing',
    async open(_folder, size) {
      const child = startChild('fastify-map');
      const { url } = await child.ask<{ url: string }>('start', { path: SESSIONS_PATH });
      return fillOverHttp(targetAt(url), size, () => child.stop());
    },
  },
  {
    name: 'json-server',
    ratioMin: 4.5,
    note: `${PACKAGES.jsonServer}: writes the whole file after each create, without a sync; checks nothing`,
    async open(folder, size) {
      const list = '/payment-sessions';
      writeFileSync(join(folder, 'db.json'), '{"payment-sessions":[]}');
      const entry = 'json-server/lib/cli/bin.js';
      const args = (port: string) => ['--quiet', '--host', '127.0.0.1', '--port', port, 'db.json'];
      const { url, stop } = await startInstalled(folder, entry, args);
      return fillOverHttp({ ...targetAt(url), path: list, firstPage: `${list}?_limit=10` }, size, stop);
    },
  },
  {
    name: 'Prism',
    ratioMin: 8,
    note: `${PACKAGES.prism} on our OpenAPI document, without its log: checks requests, responds with examples, keeps nothing`,
    async open(folder, size) {
      const document = join(packageRoot(), 'docs/openapi.json');
      const entry = '@stoplight/prism-cli/dist/index.js';
      const args = (port: string) => ['mock', document, '-h', '127.0.0.1', '-p', port, '-v', 'silent'];
      const { url, stop } = await startInstalled(folder, entry, args);
      return fillOverHttp(targetAt(url), size, stop);
    },
  },
];

/** Installs the packages of the peers into a folder. @throws Error when the registry cannot be reached */
async function installPeers(folder: string): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--silent'];
  await promisify(execFile)('npm', ['install', '--prefix', folder, ...quiet, ...Object.values(PACKAGES)]);
}

function targetAt(url: string): SessionTarget {
  return targetOf({ url, secretKey: 'sk_sandbox_peer' });
}

async function startInstalled(folder: string, entry: string, argsAt: (port: string) => string[]) {
  const port = await freePort();
  const args = [join(folder, 'node_modules', entry), ...argsAt(String(port))];
  const { stop } = await startListener(process.execPath, args, {
    cwd: folder,
    port,
    readyWithinMs: 30_000,
  });
  return { url: `http://127.0.0.1:${port}`, stop };
}
