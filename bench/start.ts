import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../protocol/package-root.ts';
import type { BenchOptions, Result } from './report.ts';
import { alternate, median, medianBefore, msSince, spreadOf } from './measure.ts';

interface Start {
  name: string;
  /** Longest time, as a multiple of what bare Node takes. */
  limit: number;
  details: string[];
  /** Starts that of a checkout. Resolves when it is ready, with what ends the process. */
  run(checkout: string): Promise<End>;
}

type End = () => Promise<void>;

/** Measures how long the command takes to start, beside `node -e 0`. */
export async function benchStart({ quick, compare }: BenchOptions): Promise<Result[]> {
  const rounds = quick ? 3 : 9;
  const dataDir = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  try {
    const results: Result[] = [];
    for (const start of [npmStart(dataDir), printing('--version'), printing('--help')]) {
      const taken = await alternate(
        rounds,
        () => timeOf(bareNode),
        () => timeOf(() => start.run(packageRoot())),
        compare === undefined ? undefined : () => timeOf(() => start.run(compare)),
      );
      const ratio = spreadOf(taken.map(({ ours, bare }) => ours / bare));
      results.push({
        name: start.name,
        unit: 'ms',
        ours: median(taken.map(({ ours }) => ours)),
        bare: median(taken.map(({ bare }) => bare)),
        before: medianBefore(taken, (ms) => ms),
        ratio,
        aim: `at most ${start.limit} times bare`,
        met: ratio.median <= start.limit,
        details: [...start.details, `${taken.length} rounds`, 'bare: node -e 0'],
      });
    }
    return results;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function timeOf(run: () => Promise<End>): Promise<number> {
  const startNs = process.hrtime.bigint();
  const end = await run();
  const ms = msSince(startNs);
  await end();
  return ms;
}

function npmStart(dataDir: string): Start {
  return {
    name: 'start: npm start until ready',
    // 0.7 s where bare Node takes 0.04 s.
    limit: 17.5,
    details: [
      'from `npm start` to the line that says it is ready: npm itself, the check for stale sources, a store that exists, the broker, one simulated terminal online',
    ],
    async run(checkout) {
      const npm = spawn('npm', ['start', '--silent', '--', '--json'], {
        cwd: checkout,
        // Each version has a folder of its own: a store that a newer one has migrated is refused.
        env: {
          ...process.env,
          DATA_DIR: join(dataDir, checkout === packageRoot() ? 'ours' : 'before'),
          PORT: '0',
          MQTT_PORT: '0',
        },
        stdio: ['ignore', 'pipe', 'inherit'],
        // A process group, since npm does not pass each signal to what it starts.
        detached: true,
      });
      const ended = once(npm, 'exit');
      const ready = once(npm.stdout, 'data').then(() => true);
      if (!(await Promise.race([ready, ended.then(() => false)]))) throw new Error('npm start failed');
      return async () => {
        process.kill(-npm.pid!, 'SIGINT');
        await ended;
      };
    },
  };
}

function printing(flag: string): Start {
  return {
    name: `start: tapbench ${flag}`,
    // 0.15 s where bare Node takes 0.04 s.
    limit: 3.75,
    details: ['until the process has ended'],
    run: (checkout) => untilEnded(spawn(process.execPath, [join(checkout, 'dist/cli/main.js'), flag])),
  };
}

const bareNode = () => untilEnded(spawn(process.execPath, ['-e', '0']));

async function untilEnded(child: ChildProcess): Promise<End> {
  child.stdout?.resume();
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} exited with ${code}`);
  return async () => {};
}
