import { mkdtempSync, rmSync, statSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, dirname } from 'node:path';
import { copyFile, mkdir, open, rename } from 'node:fs/promises';
import { type BenchOptions, type Result, timesResult } from './report.ts';
import { startChild, type Child } from './child.ts';
import { alternate, median, medianBefore, spreadOf, timeEach, type Round, pauseMs } from './measure.ts';
import { benchPostgresSandboxes } from './postgres-sandboxes.ts';
import type { OurServer } from './processes/our-server.ts';
import { openSandboxApi, type SandboxApi } from './sandbox-api.ts';
import type { ProcessUsage } from './processes/parent-requests.ts';

const PAYMENTS = 200;
const CREATE_AIM_MS = 10;
const FORK_AIM_MS = 20;
const LARGE_FORK_AIM_MS = 400;
const MANY_RATIO_MAX = 2;

const SESSION = { amount: 1742, currency: 'GBP', customerEmail: 'bench@example.com' };

type Times = Round<number[], number[]>[];

/** Measures how long it takes to create and to fork a sandbox over HTTP, and the memory of one that sleeps. */
export async function benchSandboxes(options: BenchOptions): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const child = startChild('our-server', { profileDir: options.profileDir });
  try {
    const dataDir = join(folder, 'ours');
    const started = await child.ask<OurServer>('start', { dataDir, withTerminal: false, hosts: true });
    const api = await openSandboxApi(started);
    const results = await measureAll(options, { child, api, folder, dataDir });
    api.close();
    return [
      ...results,
      ...(await benchSleepingSandboxes(options)),
      ...(await benchPostgresSandboxes(options, {
        session: SESSION,
        payments: PAYMENTS,
        createAimMs: CREATE_AIM_MS,
        forkAimMs: FORK_AIM_MS,
      })),
    ];
  } finally {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measured {
  child: Child;
  api: SandboxApi;
  folder: string;
  dataDir: string;
}

async function measureAll({ quick }: BenchOptions, measured: Measured): Promise<Result[]> {
  const [rounds, count, many, objects] = quick ? [3, 5, 100, 10_000] : [7, 20, 950, 100_000];
  const { child, api, dataDir } = measured;
  const fileOf = (name: string) => join(dataDir, 'sandboxes', name, 'store.db');

  await api.create('paid');
  for (let payment = 0; payment < PAYMENTS; payment += 1) await api.pay('paid', SESSION);
  const forks = await timesOf(measured, { rounds, count, from: 'paid', file: fileOf('paid') });
  await api.create('empty');
  const alone = await timesOf(measured, { rounds, count, file: fileOf('empty') });
  for (let index = 0; index < many; index += 1) await api.create(`kept-${index}`);
  const among = await timesOf(measured, { rounds, count, file: fileOf('empty') });
  await child.ask('fill', { count: objects, body: SESSION, sampleCount: 1 });
  const largeFile = join(dataDir, 'store.db');
  const large = await timesOf(measured, { rounds: 3, count: 2, from: 'default', file: largeFile });
  return [
    timesResult({
      name: 'sandboxes: create, over HTTP',
      aimMs: CREATE_AIM_MS,
      taken: alone,
      tail: 0.9,
      details: [
        'a sandbox with accounts, keys and a terminal, durable when the reply comes',
        bareOf('empty store'),
      ],
    }),
    amongMany(alone, among, many),
    timesResult({
      name: `sandboxes: fork of one with ${PAYMENTS} payments`,
      aimMs: FORK_AIM_MS,
      taken: forks,
      tail: 0.9,
      details: ['over HTTP; the source is open', bareOf('source’s store')],
    }),
    timesResult({
      name: `sandboxes: fork of one with ${objects.toLocaleString('en-GB')} objects`,
      aimMs: LARGE_FORK_AIM_MS,
      taken: large,
      tail: 0.9,
      details: [
        `over HTTP; the store has ${(statSync(largeFile).size / 2 ** 20).toFixed(0)} MB`,
        bareOf('source’s store'),
      ],
    }),
  ];
}

const bareOf = (file: string) => `bare: a copy of the ${file} that is synced, and the name of its folder too`;

interface TimedOrder {
  rounds: number;
  count: number;
  /** Sandbox that is forked. */
  from?: string;
  /** What the baseline copies. */
  file: string;
}

/**
 * Creates sandboxes in turns with the baseline. The files of both are deleted after each turn, untimed: memory that was
 * used before takes new files faster than memory that a virtual machine has not used yet, by up to five times.
 */
function timesOf({ api, folder }: Measured, { rounds, count, from, file }: TimedOrder): Promise<Times> {
  const names = Array.from({ length: count }, (_, index) => `timed-${index}`);
  const copies = names.map((name) => join(folder, name));
  return alternate(
    rounds,
    async () => {
      const times = await timeEach(count, (index) => copyFileDurably(file, copies[index]!));
      for (const copy of copies) rmSync(copy, { recursive: true });
      return times;
    },
    async () => {
      const times = await timeEach(count, (index) => api.create(names[index]!, from));
      for (const name of names) await api.remove(name);
      return times;
    },
  );
}

function amongMany(alone: Times, among: Times, many: number): Result {
  const [few, ours] = [alone, among].map((taken) => median(taken.flatMap((round) => round.ours)));
  return {
    name: `sandboxes: create, with ${many} there`,
    unit: 'ms',
    ours: ours!,
    bare: median(among.flatMap(({ bare }) => bare)),
    before: medianBefore(among, median),
    ratio: spreadOf(among.map((round) => median(round.ours) / median(round.bare))),
    aim: `at most ${MANY_RATIO_MAX} times without`,
    met: ours! <= MANY_RATIO_MAX * few!,
    details: [`${(ours! / few!).toFixed(2)} times what it takes without them`, bareOf('empty store')],
  };
}

/** Copies a file into a new folder, and syncs the file, its folder and the name of the folder. */
async function copyFileDurably(file: string, folder: string): Promise<void> {
  const made = `${folder}.new`;
  await mkdir(made);
  const copy = join(made, 'copy');
  await copyFile(file, copy);
  for (const path of [copy, made]) await sync(path);
  await rename(made, folder);
  await sync(dirname(folder));
}

async function sync(path: string): Promise<void> {
  const opened = await open(path, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

const KILOBYTES_MAX = 50;
const POLL_MS = 500;

/** By these a process loads what it loads once, and grows to what those need that are open at the same time. */
const FIRST = 100;

/** Measures the memory of sandboxes that were used once and sleep, beside the text of their records. */
async function benchSleepingSandboxes({ quick }: BenchOptions): Promise<Result[]> {
  const count = quick ? 100 : 900;
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const child = startChild('our-server', { exposeGc: true });
  const kilobytes = async () => (await child.ask<ProcessUsage>('usage')).bytes / 1024;
  try {
    const settings = { SANDBOX_SLEEP_AFTER: '1' };
    const started = await child.ask<OurServer>('start', {
      dataDir: folder,
      withTerminal: false,
      hosts: true,
      settings,
    });
    const api = await openSandboxApi(started);
    const fileOf = (name: string, file: string) =>
      readFileSync(join(folder, 'sandboxes', name, file), 'utf8');
    const sleep = async (names: string[]) => {
      for (const name of names) {
        await api.create(name);
        await api.use(name);
      }
      const awake = (name: string) =>
        (JSON.parse(fileOf(name, 'sandbox.json')) as { wakeMs?: number }).wakeMs === 0;
      while (names.some(awake)) await pauseMs(POLL_MS);
    };
    await sleep(namesFrom(0, FIRST));
    const before = await kilobytes();
    await sleep(namesFrom(FIRST, count));
    const each = ((await kilobytes()) - before) / count;
    const [last] = namesFrom(FIRST, 1);
    const bare =
      ['sandbox.json', 'keys.json'].reduce((sum, file) => sum + fileOf(last!, file).length, 0) / 1024;
    api.close();
    return [
      {
        name: 'sandboxes: memory of one that sleeps',
        unit: 'KB',
        ours: each,
        bare,
        ratio: spreadOf([each / bare]),
        aim: `under ${KILOBYTES_MAX} KB`,
        met: each < KILOBYTES_MAX,
        details: [
          `${count} sandboxes, each created, used once and asleep again: growth of resident memory after garbage collection`,
          `the first ${FIRST} are not counted: by them the process loads what it loads once, and grows to what those need that are open together`,
          'bare: the texts of its record and keys',
        ],
      },
    ];
  } finally {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function namesFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `sleeper-${first + index}`);
}
