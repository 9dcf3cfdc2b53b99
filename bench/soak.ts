import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions, Result } from './report.ts';
import { startChild } from './child.ts';
import { openHttp, requestText, succeeded } from './http-connection.ts';
import { msSince, pauseMs, percentile, spreadOf } from './measure.ts';
import type { OurServer } from './processes/our-server.ts';
import type { ProcessMemory } from './processes/parent-requests.ts';
import { openSandboxApi, type SandboxApi } from './sandbox-api.ts';
import { SESSIONS_PATH } from './session-server.ts';

const SESSION = { amount: 1742, currency: 'GBP', customerEmail: 'bench@example.com' };
const PAYERS = 2;
const COMERS = 3;
const KEPT = 40;
const PARTS = 6;
const POLL_MS = 20;
const BARE_EVERY_MS = 5;
const GROWTH_MAX = 2;
const KILOBYTES_MAX = 2_000;

/** What was measured in one part of the time. */
interface Part {
  waitsMs: number[];
  /** Of creations and deletions of sandboxes. */
  comingMs: number[];
  /** Of a server with HTTP and a durable append alone. */
  bareMs: number[];
  payments: number;
  storeBytes: number;
}

/**
 * Takes payments in `default` for some minutes while other sandboxes are created, used and deleted, and compares the waits at
 * the end with those at the beginning. Then it measures the memory that is left of a burst of sandboxes.
 */
export async function benchSoak(options: BenchOptions): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const server = startChild('our-server', { profileDir: options.profileDir, exposeGc: true });
  const bare = startChild('bare-http');
  try {
    const settings = { SANDBOX_SLEEP_AFTER: '5' };
    const order = { dataDir: folder, withTerminal: true, hosts: true, settings };
    const started = await server.ask<OurServer>('start', order);
    const memory = () => server.ask<ProcessMemory>('memory');
    const bareServer = await bare.ask<{ url: string }>('start', { path: join(folder, 'bare.jsonl') });
    const where = { started, bareUrl: bareServer.url, file: join(folder, 'store.db') };
    const parts = await soak(options, where);
    const api = await openSandboxApi(started);
    const [first, second] = [await burst(api, 'first', memory), await burst(api, 'second', memory)];
    api.close();
    return [waitsResult(parts), memoryResult(first, second)];
  } finally {
    await Promise.all([bare.stop(), server.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Where {
  started: OurServer;
  bareUrl: string;
  /** The database of `default`. */
  file: string;
}

async function soak({ quick }: BenchOptions, { started, bareUrl, file }: Where): Promise<Part[]> {
  const partMs = quick ? 5_000 : 40_000;
  const parts: Part[] = [];
  const newPart = (): Part => ({ waitsMs: [], comingMs: [], bareMs: [], payments: 0, storeBytes: 0 });
  let part = newPart();
  let ended = false;
  const timedInto =
    (waitsOf: () => number[]) =>
    async <T>(work: () => Promise<T>): Promise<T> => {
      const startNs = process.hrtime.bigint();
      const result = await work();
      waitsOf().push(msSince(startNs));
      return result;
    };
  const timed = timedInto(() => part.waitsMs);
  const timedComing = timedInto(() => part.comingMs);
  const until = async (run: (round: number) => Promise<void>) => {
    for (let round = 0; !ended; round += 1) await run(round);
  };
  const payers = Array.from({ length: PAYERS }, async (_, index) => {
    const pay = index === 0 ? await terminalPayer(started) : await onlinePayer(started);
    await until(async () => {
      await pay(timed);
      part.payments += 1;
    });
  });
  const comers = Array.from({ length: COMERS }, (_, index) =>
    comeAndGo(started, index, { until, timed: timedComing }),
  );
  const bare = await openHttp(bareUrl);
  const asking = until(async () => {
    const startNs = process.hrtime.bigint();
    succeeded(await bare.ask(requestText('POST', SESSIONS_PATH, '', SESSION)));
    part.bareMs.push(msSince(startNs));
    await pauseMs(BARE_EVERY_MS);
  });
  const working = Promise.all([asking, ...payers, ...comers]);
  for (let index = 0; index < PARTS; index += 1) {
    await Promise.race([working, pauseMs(partMs)]);
    part.storeBytes = statSync(file).size;
    parts.push(part);
    const { waitsMs, bareMs, payments, storeBytes } = part;
    process.stderr.write(
      `  p50 ${percentile(waitsMs, 0.5).toFixed(1)}, p99 ${percentile(waitsMs, 0.99).toFixed(1)}, bare p99 ${percentile(bareMs, 0.99).toFixed(1)} ms, ` +
        `${payments} payments, ${(storeBytes / 2 ** 20).toFixed(0)} MB\n`,
    );
    part = newPart();
  }
  ended = true;
  await working;
  bare.close();
  return parts;
}

type Timed = <T>(work: () => Promise<T>) => Promise<T>;

async function onlinePayer(server: OurServer): Promise<(timed: Timed) => Promise<void>> {
  const connection = await openHttp(server.url);
  const card = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2035', cvc: '123' };
  const ask = async (timed: Timed, path: string, body: object) =>
    JSON.parse(
      succeeded(await timed(() => connection.ask(requestText('POST', path, server.secretKey, body)))),
    ) as Record<string, string>;
  return async (timed) => {
    const { clientSecret } = await ask(timed, SESSIONS_PATH, SESSION);
    await ask(timed, `${SESSIONS_PATH}/attempt-payment`, { clientSecret, cardDetails: card });
  };
}

async function terminalPayer(server: OurServer): Promise<(timed: Timed) => Promise<void>> {
  const connection = await openHttp(server.url);
  const path = `/v1/in-person/terminals/${server.terminalId}`;
  const ask = async (timed: Timed, method: string, where: string, body?: object) =>
    JSON.parse(
      succeeded(await timed(() => connection.ask(requestText(method, where, server.secretKey, body)))),
    ) as { action: { status: string } | null };
  return async (timed) => {
    await ask(timed, 'POST', `${path}/payment`, { amounts: { requested: 1742 }, currency: 'GBP' });
    while ((await ask(timed, 'GET', path)).action?.status === 'InProgress') await pauseMs(POLL_MS);
  };
}

interface Loop {
  until(run: (round: number) => Promise<void>): Promise<void>;
  timed: Timed;
}

/** Creates sandboxes one after the other, pays in each, and deletes it once there are some younger ones. */
async function comeAndGo(started: OurServer, comer: number, { until, timed }: Loop): Promise<void> {
  const api = await openSandboxApi(started);
  const nameOf = (round: number) => `soak-${comer}-${round}`;
  await until(async (round) => {
    await timed(() => api.create(nameOf(round)));
    await api.pay(nameOf(round), SESSION);
    if (round >= KEPT) await timed(() => api.remove(nameOf(round - KEPT)));
  });
  api.close();
}

/** Returns the memory before a burst of sandboxes that are used and deleted, with them, and after it. */
async function burst(api: SandboxApi, prefix: string, memory: () => Promise<ProcessMemory>) {
  const before = await memory();
  const names = Array.from({ length: 200 }, (_, index) => `${prefix}-${index}`);
  for (const name of names) {
    await api.create(name);
    await api.pay(name, SESSION);
  }
  const during = await memory();
  for (const name of names) await api.remove(name);
  return { before, during, after: await memory() };
}

function waitsResult(parts: readonly Part[]): Result {
  const p99Of = (waitsOf: (part: Part) => number[]) => parts.map((part) => percentile(waitsOf(part), 0.99));
  const bareP99 = p99Of(({ bareMs }) => bareMs);
  const p99 = p99Of(({ waitsMs }) => waitsMs);
  const shown = (waits: readonly number[]) => waits.map((wait) => wait.toFixed(0)).join(', ');
  const [first, last] = [p99[0]!, p99.at(-1)!];
  const payments = parts.reduce((sum, part) => sum + part.payments, 0);
  const bytes = parts.at(-1)!.storeBytes - parts[0]!.storeBytes;
  const later = payments - parts[0]!.payments;
  return {
    name: 'soak: 99th percentile of waits in default, last part beside first',
    unit: 'ms',
    ours: last,
    bare: bareP99.at(-1)!,
    ratio: spreadOf(p99.map((wait) => wait / first)),
    aim: `under ${GROWTH_MAX} times`,
    met: last < GROWTH_MAX * first,
    details: [
      `${payments} payments in default while sandboxes come and go; parts: ${shown(p99)} ms; bare: ${shown(bareP99)} ms`,
      `creations and deletions of sandboxes: ${shown(p99Of(({ comingMs }) => comingMs))} ms`,
      'ratio: each part beside the first; bare: a server with HTTP and a durable append alone',
      `the store of default grew by ${(bytes / later / 1024).toFixed(1)} KB for each payment`,
    ],
  };
}

type Burst = Awaited<ReturnType<typeof burst>>;

function memoryResult(first: Burst, second: Burst): Result {
  const left = (second.after.heapBytes - first.after.heapBytes) / 1024;
  const megabytes = ({ bytes, heapBytes }: ProcessMemory) =>
    `${(heapBytes / 2 ** 20).toFixed(1)} of ${(bytes / 2 ** 20).toFixed(0)} MB`;
  const shown = ({ before, during, after }: Burst) =>
    `${megabytes(before)} before, ${megabytes(during)} with them, ${megabytes(after)} after`;
  return {
    name: 'soak: memory left of a second burst of 200 sandboxes',
    unit: 'KB',
    ours: left,
    bare: first.after.heapBytes / 1024,
    ratio: spreadOf([(left * 1024) / first.after.heapBytes]),
    aim: `under ${KILOBYTES_MAX} KB`,
    met: left < KILOBYTES_MAX,
    details: [
      `heap of resident memory, after garbage collection; first burst: ${shown(first)}`,
      `second burst: ${shown(second)}`,
    ],
  };
}
