import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pace } from '../protocol/clock.ts';
import { packageRoot } from '../protocol/package-root.ts';
import type { Holdings } from './processes/usage-probe.ts';
import { spreadOf } from './measure.ts';
import type { BenchOptions, Result } from './report.ts';
import { openSuite, runTogether } from './suite-tests.ts';
import { startSuiteServer } from './suite-server.ts';
import { openWebhookSink } from './webhook-sink.ts';

const GROWTH_MB_MAX = 30;
const BYTES_OF_MB = 1_000_000;

interface Held {
  early: Holdings;
  late: Holdings;
}

/** Measures what a server holds after many tests beside what it holds after a tenth of them. */
export async function benchSuiteMemory({ quick, compare }: BenchOptions): Promise<Result[]> {
  const tests = quick ? 200 : 2_000;
  const rows: Result[] = [];
  for (const pace of ['instant', 'real'] as const) {
    const ours = await holdingsOf(packageRoot(), pace, tests);
    const before = compare === undefined ? undefined : await holdingsOf(compare, pace, tests);
    rows.push(...rowsOf(pace, tests, ours, before));
  }
  return rows;
}

async function holdingsOf(checkout: string, pace: Pace, tests: number): Promise<Held> {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const sink = await openWebhookSink();
  const server = await startSuiteServer({ checkout, dataDir: folder, profileDir: undefined });
  try {
    const run = async (count: number) => {
      const suite = await openSuite(server, sink, pace);
      await runTogether(suite, count);
      for (const calls of suite.calls) calls.close();
      return server.holdings();
    };
    const early = await run(tests / 10);
    return { early, late: await run(tests - tests / 10) };
  } finally {
    await server.close();
    sink.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowsOf(pace: Pace, tests: number, { early, late }: Held, before: Held | undefined): Result[] {
  const few = (tests / 10).toLocaleString('en-GB');
  const many = tests.toLocaleString('en-GB');
  const note = `bare: the same server after ${few} tests`;
  const growth = late.bytes - early.bytes;
  const rowOf = (what: 'files' | 'handles'): Result => ({
    name: `suite: open ${what} after ${many} tests, ${pace}`,
    unit: what,
    ours: late[what],
    bare: early[what],
    before: before?.late[what],
    ratio: spreadOf([late[what] / early[what]]),
    aim: 'no more than before them',
    met: late[what] <= early[what],
    details: [note],
  });
  return [
    {
      name: `suite: memory after ${many} tests, ${pace}`,
      unit: 'KB',
      ours: late.bytes / 1024,
      bare: early.bytes / 1024,
      before: before && before.late.bytes / 1024,
      ratio: spreadOf([late.bytes / early.bytes]),
      aim: `within ${GROWTH_MB_MAX} MB`,
      met: growth <= GROWTH_MB_MAX * BYTES_OF_MB,
      details: [
        `resident, after a collection of garbage; ${(growth / BYTES_OF_MB).toFixed(1)} MB more`,
        note,
      ],
    },
    rowOf('files'),
    rowOf('handles'),
  ];
}
