import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pace } from '../protocol/clock.ts';
import { packageRoot } from '../protocol/package-root.ts';
import { startChild } from './child.ts';
import { alternate, msSince } from './measure.ts';
import type { BenchOptions, Result } from './report.ts';
import type { SuiteCalls } from './suite-calls.ts';
import { benchSuiteMemory } from './suite-memory.ts';
import { PAYMENTS, rowsOf, type SuiteRounds, type SuiteTimes } from './suite-rows.ts';
import { cpuMsOf, startSuiteServer } from './suite-server.ts';
import { AT_ONCE, openSuite, runTest, runTogether, type Suite } from './suite-tests.ts';
import { openWebhookSink } from './webhook-sink.ts';

const PAID = 'paid';

/** Measures tests that make a sandbox each, over HTTP, at a real and at an instant pace, and what a server keeps of them. */
export async function benchSuite(options: BenchOptions): Promise<Result[]> {
  const { profileDir, compare } = options;
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const sink = await openWebhookSink();
  const bare = startChild('bare-suite');
  const ours = await startSuiteServer({ checkout: packageRoot(), dataDir: join(folder, 'ours'), profileDir });
  const before =
    compare === undefined
      ? undefined
      : await startSuiteServer({ checkout: compare, dataDir: join(folder, 'before'), profileDir: undefined });
  try {
    const bareServer = await bare.ask<{ url: string; secretKey: string }>('start');
    const suites = async (pace: Pace): Promise<Suites> => ({
      bare: await openSuite({ ...bareServer, cpuMs: () => cpuMsOf(bare.pid) }, sink, pace),
      ours: await openSuite(ours, sink, pace),
      before: before && (await openSuite(before, sink, pace)),
    });
    const real = await measurePace(await suites('real'), options);
    const instant = await measurePace(await suites('instant'), options);
    return [
      ...rowsOf(instant, 'instant', real),
      ...rowsOf(real, 'real'),
      ...(await benchSuiteMemory(options)),
    ];
  } finally {
    await Promise.all([bare.stop(), ours.close(), before?.close()]);
    sink.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Suites {
  bare: Suite;
  ours: Suite;
  before: Suite | undefined;
}

async function measurePace(suites: Suites, { quick }: BenchOptions): Promise<SuiteRounds> {
  const { bare, ours, before } = suites;
  const all = [bare, ours, ...(before ? [before] : [])];
  const [rounds, count, payments] = quick ? [2, 5, 20] : [5, 10, PAYMENTS];
  const measure = <T>(round: (suite: Suite) => Promise<T>) =>
    alternate(
      rounds,
      () => round(bare),
      () => round(ours),
      before && (() => round(before)),
    );
  const alone = await measure((suite) => timeTests(suite.calls[0]!, count));
  const together = await measure((suite) => runTogether(suite, count * AT_ONCE));
  const calls = await measure((suite) => timeCalls(suite.calls[0]!, count));
  for (const suite of all) await prepareSource(suite, payments);
  const forks = await measure((suite) => timeForks(suite.calls[0]!, count));
  for (const suite of all) {
    await suite.calls[0]!.remove({ name: PAID });
    for (const opened of suite.calls) opened.close();
  }
  return { alone, together, calls, forks };
}

async function timeTests(calls: SuiteCalls, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) times.push(await timeOf(() => runTest(calls)));
  return times;
}

async function timeOf(run: () => Promise<void>): Promise<number> {
  const startNs = process.hrtime.bigint();
  await run();
  return msSince(startNs);
}

/** Times the first call in a new sandbox and the second one. */
async function timeCalls(calls: SuiteCalls, count: number): Promise<SuiteTimes['calls']> {
  const times: SuiteTimes['calls'] = { first: [], second: [] };
  for (let index = 0; index < count; index += 1) {
    const sandbox = await calls.create();
    times.first.push(await calls.read(sandbox));
    times.second.push(await calls.read(sandbox));
    await calls.remove(sandbox);
  }
  return times;
}

/** Creates the sandbox that is forked, with a webhook and payments. */
async function prepareSource({ calls: [calls] }: Suite, payments: number): Promise<void> {
  const sandbox = await calls!.create({ name: PAID });
  await calls!.addWebhook(sandbox);
  await calls!.hurryCardholder(sandbox);
  for (let payment = 0; payment < payments; payment += 1) await calls!.pay(sandbox);
}

/** Times tests in a new sandbox and in a fork, in turns. */
async function timeForks(calls: SuiteCalls, count: number): Promise<SuiteTimes['forks']> {
  const times: SuiteTimes['forks'] = { fresh: [], forked: [] };
  for (let index = 0; index < count; index += 1) {
    times.fresh.push(await timeOf(() => runTest(calls)));
    times.forked.push(
      await timeOf(async () => {
        const fork = await calls.create({ from: PAID });
        await calls.hurryCardholder(fork);
        await calls.pay(fork);
        await calls.remove(fork);
      }),
    );
  }
  return times;
}
