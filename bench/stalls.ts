import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchTransport, jsonCall } from '../protocol/api-call.ts';
import type { BenchOptions, Result } from './report.ts';
import { startChild, type Child } from './child.ts';
import { msSince, pauseMs, spreadOf } from './measure.ts';
import type { LongestGaps, ProbedRequest } from './processes/gap-probe.ts';
import type { OurServer } from './processes/our-server.ts';

const AIM_MS = 100;
const SETTLE_MS = 1_000;
const SESSION = { amount: 1742, currency: 'GBP', customerEmail: 'bench@example.com' };
const REPLY_CHARACTERS = 8_000;

/** A call of the API that does long work. */
interface LongWork {
  name: string;
  run(): Promise<void>;
}

/**
 * Measures how long other requests wait while a server does long work on a large store: `/healthz` and a read in another
 * sandbox, each sent every 5 ms from another process.
 */
export async function benchStalls(options: BenchOptions): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const server = startChild('our-server', { profileDir: options.profileDir });
  const bare = startChild('bare-http');
  const probe = startChild('gap-probe');
  try {
    const started = await server.ask<OurServer>('start', {
      dataDir: folder,
      withTerminal: false,
      hosts: true,
      settings: { SNAPSHOT_MB_MAX: '1000' },
    });
    const bareServer = await bare.ask<{ url: string }>('start', { path: join(folder, 'bare.jsonl') });
    const megabytes = await fill(options, server, folder);
    const api = callsOf(started);
    const other = await api.json('POST', '/sandboxes', { name: 'other' });
    const probed: ProbedRequest[] = [
      { name: 'healthz', url: started.url, path: '/healthz', key: '' },
      { name: 'other', url: started.url, path: '/v1/customers', key: String(other['secretKey']) },
      { name: 'bare', url: bareServer.url, path: '/v1/payment-sessions', key: '' },
    ];
    const results: Result[] = [];
    for (const work of longWorkOf(api, options)) {
      process.stderr.write(`  ${work.name} ...\n`);
      results.push(await measured(work, { probe, probed, megabytes }));
    }
    return results;
  } finally {
    await Promise.all([probe.stop(), bare.stop(), server.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the megabytes of the filled store. */
async function fill({ quick }: BenchOptions, server: Child, folder: string): Promise<number> {
  const [sessions, requests] = quick ? [10_000, 1_000] : [100_000, 10_000];
  await server.ask('fill', { count: sessions, body: SESSION, sampleCount: 1 });
  await server.ask('fillRequests', { count: requests, characters: REPLY_CHARACTERS });
  return statSync(join(folder, 'store.db')).size / 2 ** 20;
}

type Calls = ReturnType<typeof callsOf>;

function callsOf({ url, secretKey }: OurServer) {
  const carry = fetchTransport(fetch, url);
  async function text(method: string, path: string, body?: object): Promise<string> {
    const reply = await carry(jsonCall({ secretKey }, { method, path, body }));
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.text;
  }
  return {
    json: async (method: string, path: string, body?: object) =>
      JSON.parse(await text(method, path, body)) as Record<string, unknown>,
    download: (path: string) => text('GET', path),
  };
}

function longWorkOf(api: Calls, { quick }: BenchOptions): LongWork[] {
  const many = quick ? 100 : 500;
  let recording = '';
  let snapshot = '';
  const digits = '4242'.repeat(250_000);
  return [
    { name: 'nothing', run: () => pauseMs(2 * SETTLE_MS) },
    {
      name: 'start of a recording',
      run: async () => void (recording = String((await api.json('POST', '/sandbox/recordings', {}))['id'])),
    },
    {
      name: 'a recorded body of 1 MB of digits',
      run: async () =>
        void (await api
          .json('POST', '/v1/payment-sessions', { ...SESSION, metadata: { digits } })
          .catch(() => {})),
    },
    {
      name: 'download of a recording',
      run: async () => void (await api.download(`/sandbox/recordings/${recording}/file`)),
    },
    {
      name: 'fork',
      run: async () => void (await api.json('POST', '/sandboxes', { name: 'fork', from: 'default' })),
    },
    {
      name: 'fork with another clock',
      run: async () =>
        void (await api.json('POST', '/sandboxes', { name: 'later', from: 'default', clock: 4_000_000_000 })),
    },
    {
      name: 'snapshot',
      run: async () =>
        void (snapshot = String((await api.json('POST', '/sandboxes/default/snapshots', {}))['id'])),
    },
    {
      name: 'download of a snapshot',
      run: async () => void (await api.download(`/sandboxes/default/snapshots/${snapshot}`)),
    },
    {
      name: 'restore of a snapshot',
      run: async () => void (await api.json('POST', '/sandboxes', { name: 'restored', from: snapshot })),
    },
    { name: 'deletion of a fork', run: async () => void (await api.json('DELETE', '/sandboxes/fork')) },
    {
      name: `${many} sandboxes created at once`,
      run: async () =>
        void (await Promise.all(
          Array.from({ length: many }, (_, index) =>
            api.json('POST', '/sandboxes', { name: `many-${index}` }),
          ),
        )),
    },
    {
      name: `${many} sandboxes deleted at once`,
      run: async () =>
        void (await Promise.all(
          Array.from({ length: many }, (_, index) => api.json('DELETE', `/sandboxes/many-${index}`)),
        )),
    },
    { name: 'reset', run: async () => void (await api.json('POST', '/sandbox/reset')) },
  ];
}

interface Probing {
  probe: Child;
  probed: ProbedRequest[];
  megabytes: number;
}

async function measured({ name, run }: LongWork, { probe, probed, megabytes }: Probing): Promise<Result> {
  await probe.ask('begin', probed);
  const startNs = process.hrtime.bigint();
  await run();
  const tookMs = msSince(startNs);
  await pauseMs(SETTLE_MS);
  const { healthz = 0, other = 0, bare = 0 } = await probe.ask<LongestGaps>('end');
  const ours = Math.max(healthz, other);
  return {
    name: `stalls: ${name}`,
    unit: 'ms',
    ours,
    bare,
    ratio: spreadOf([ours / bare]),
    aim: `under ${AIM_MS} ms`,
    met: ours < AIM_MS,
    details: [
      `longest wait of /healthz ${healthz.toFixed(0)} ms, of a read in another sandbox ${other.toFixed(0)} ms; the work took ${tookMs.toFixed(0)} ms`,
      `the store of default has ${megabytes.toFixed(0)} MB; bare: a server with HTTP alone, asked by the same process`,
    ],
  };
}
