import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../protocol/package-root.ts';
import { freePort } from '../test/kit/free-port.ts';
import { startListener } from '../test/system/brokers/child-broker.ts';
import { startChild } from './child.ts';
import {
  fillOverHttp,
  SESSIONS_PATH,
  targetOf,
  type SessionServer,
  type SessionTarget,
} from './session-server.ts';

/** Versions that are installed for a run. They are no dependencies of Tapbench. */
const PACKAGES = { prism: '@stoplight/prism-cli@5.16.0', jsonServer: 'json-server@0.17.4' };

/** Another way to have a server to develop against. */
export interface Peer {
  name: string;
  /** Lowest rate of ours relative to it. */
  ratioMin: number;
  /** What it does, and what becomes of what it was sent. */
  note: string;
  /** Starts it in a process of its own and creates `size` sessions. `folder` has the packages. */
  open(folder: string, size: number): Promise<SessionServer>;
}

export const PEERS: readonly Peer[] = [
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
export async function installPeers(folder: string): Promise<void> {
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
