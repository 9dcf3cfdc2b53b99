import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../protocol/package-root.ts';
import { TWINS } from '../simulator/twins/twins.ts';
import { questionsTo, startChild, type Child } from './child.ts';
import { alternate, median, pauseMs, spreadOf, type Round } from './measure.ts';
import type { IdleTwinsOrder } from './processes/idle-twins.ts';
import type { ProcessMemory } from './processes/parent-requests.ts';
import type { BenchOptions, Result } from './report.ts';

const HUNDRED = 100;
/** A thousandth of a core. */
const IDLE_AIM_MS = 1;
const MEMORY_AIM_KB = 100;
const BARE = 'bare: a process that waits for nothing';

type Asked = Pick<Child, 'ask' | 'stop'>;

/** Measures twins that nobody uses: one of each, and a hundred in one process. */
export async function benchTwins(options: BenchOptions): Promise<Result[]> {
  return [await benchOneOfEach(options), ...(await benchHundred(options))];
}

async function benchOneOfEach({ quick }: BenchOptions): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const bare = startChild('usage-probe');
  const twins: Asked[] = [];
  try {
    for (const { name, overTcp } of [...TWINS, { name: 'escpos', overTcp: true }])
      twins.push(await startTwin(name, overTcp ? ['--tcp', '0'] : ['--link', join(folder, name)]));
    const taken = await alternate(
      quick ? 3 : 5,
      () => idleMs(bare),
      () => Promise.all(twins.map(idleMs)),
    );
    const mostMs = Math.max(...taken.flatMap(({ ours }) => ours));
    const medians = taken.map((round) => ({ ...round, ours: median(round.ours), before: undefined }));
    return idleRow('twins: CPU of one that is idle, in a second', medians, [
      `the median of ${twins.length} processes, one of \`tapbench twin\` for each device; ${taken.length} rounds of ${IDLE_MS / 1_000} s; the most of any is ${mostMs.toFixed(2)} ms`,
      BARE,
    ]);
  } finally {
    for (const child of [...twins, bare]) await child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchHundred({ quick, profileDir }: BenchOptions): Promise<Result[]> {
  const rounds = quick ? 3 : 5;
  const bare = startChild('idle-twins', { exposeGc: true });
  const ours = startChild('idle-twins', { exposeGc: true, profileDir });
  const open = (child: Child, isBare: boolean) =>
    child.ask('open', { count: HUNDRED, bare: isBare } satisfies IdleTwinsOrder);
  const kilobytesOf = async (child: Child, isBare: boolean) => {
    const before = await child.ask<ProcessMemory>('memory');
    await open(child, isBare);
    const { heapBytes } = await child.ask<ProcessMemory>('memory');
    return (heapBytes - before.heapBytes) / HUNDRED / 1024;
  };
  try {
    await Promise.all([open(bare, true), open(ours, false)]);
    const idle = await alternate(
      rounds,
      () => idleMs(bare),
      () => idleMs(ours),
    );
    const memory = await alternate(
      rounds,
      () => kilobytesOf(bare, true),
      () => kilobytesOf(ours, false),
    );
    const kilobytes = median(memory.map((round) => round.ours));
    return [
      idleRow('twins: CPU of a hundred that are idle in one process, in a second', idle, [
        `they listen on TCP, 25 of each of ZVT, Caisse-AP, ECR17 and nexo; ${idle.length} rounds of ${IDLE_MS / 1_000} s`,
        'bare: a hundred servers of node:net in one process',
      ]),
      {
        name: 'twins: memory of one, of a hundred in one process',
        unit: 'KB',
        ours: kilobytes,
        bare: median(memory.map((round) => round.bare)),
        ratio: spreadOf(memory.map((round) => round.ours / round.bare)),
        aim: `at most ${MEMORY_AIM_KB} KB`,
        met: kilobytes <= MEMORY_AIM_KB,
        details: [
          `what objects take after garbage collection; ${memory.length} rounds, each with a hundred more in the same process`,
          'bare: a hundred servers of node:net',
        ],
      },
    ];
  } finally {
    await bare.stop();
    await ours.stop();
  }
}

const IDLE_MS = 5_000;

/** Returns the CPU time that a process takes in a second without work, milliseconds. */
async function idleMs(child: Pick<Child, 'ask'>): Promise<number> {
  const before = await child.ask<number>('cpuMs');
  await pauseMs(IDLE_MS);
  return (((await child.ask<number>('cpuMs')) - before) * 1_000) / IDLE_MS;
}

function idleRow(name: string, taken: Round<number, number>[], details: string[]): Result {
  const ours = median(taken.map((round) => round.ours));
  return {
    name,
    unit: 'ms',
    ours,
    bare: median(taken.map(({ bare }) => bare)),
    ratio: spreadOf(taken.map((round) => round.ours / round.bare)),
    aim: `under ${IDLE_AIM_MS} ms`,
    met: ours < IDLE_AIM_MS,
    details,
  };
}

const PROBE = pathToFileURL(join(packageRoot(), 'dist/bench/processes/usage-probe.js')).href;

/** Starts `tapbench twin`. Resolves once it is there. It ends with the channel to this process. */
async function startTwin(name: string, flags: string[]): Promise<Asked> {
  const child = fork(join(packageRoot(), 'dist/cli/main.js'), ['twin', name, ...flags], {
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
    execArgv: ['--import', PROBE],
  });
  const { ask, ended } = questionsTo(child, `tapbench twin ${name}`);
  const stopped = ended.then(() => {
    throw new Error(`tapbench twin ${name} did not start`);
  });
  await Promise.race([once(child.stdout!, 'data'), stopped]);
  return {
    ask,
    async stop() {
      child.kill('SIGINT');
      // The channel would keep it running.
      child.disconnect();
      await ended;
    },
  };
}
