import { msSince } from './measure.ts';
import { openSuiteCalls, type SuiteCalls } from './suite-calls.ts';
import type { Pace } from '../protocol/clock.ts';
import type { WebhookSink } from './webhook-sink.ts';

/** Tests that run at the same time. */
export const AT_ONCE = 8;

/** A server with connections to it. */
export interface Suite {
  /** One for each test that runs at the same time. */
  calls: SuiteCalls[];
  cpuMs(): number;
}

/** What tests that run at once take. */
export interface Together {
  perSecond: number;
  /** CPU time of the server for one test, milliseconds. */
  cpuMs: number;
}

type CpuServer = { url: string; secretKey: string; cpuMs(): number };

export async function openSuite(server: CpuServer, sink: WebhookSink, pace: Pace): Promise<Suite> {
  const calls = await Promise.all(Array.from({ length: AT_ONCE }, () => openSuiteCalls(server, sink, pace)));
  return { calls, cpuMs: () => server.cpuMs() };
}

/** Runs tests on all connections at once. */
export async function runTogether(suite: Suite, tests: number): Promise<Together> {
  let left = tests;
  const beforeMs = suite.cpuMs();
  const startNs = process.hrtime.bigint();
  const work = async (calls: SuiteCalls) => {
    while (left-- > 0) await runTest(calls);
  };
  await Promise.all(suite.calls.map(work));
  const elapsedMs = msSince(startNs);
  return { perSecond: (tests / elapsedMs) * 1000, cpuMs: (suite.cpuMs() - beforeMs) / tests };
}

/** Runs one test: a sandbox, a webhook, a payment, and the end of the sandbox. */
export async function runTest(calls: SuiteCalls): Promise<void> {
  const sandbox = await calls.create();
  await calls.addWebhook(sandbox);
  await calls.hurryCardholder(sandbox);
  await calls.pay(sandbox);
  await calls.remove(sandbox);
}
