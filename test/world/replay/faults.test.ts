import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeDivergence } from '../../../world/replay/describe-divergence.ts';
import { replayTrace } from '../../../world/replay/replay-trace.ts';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';
import { userWorldOf } from '../../../testing/world/user-world.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';

let world: World;
beforeEach(async () => void (world = await startWorld()));
afterEach(() => world.close());

const CREATE = 'POST /v1/customers';
const PLAN = {
  seed: '7',
  faults: [
    { at: 'api.reply', what: 'reset', when: { operation: CREATE } },
    { at: 'api.request', what: 'unavailable', when: { operation: CREATE, nth: 2, times: 20, percent: 40 } },
    { at: 'terminal.state', what: 'power-cut', when: { state: 'reading' }, delayMs: 2_000 },
    { at: 'message.report', what: 'delay', when: { message: 'action.completed' }, delayMs: 1_000 },
  ],
};

async function shop(): Promise<void> {
  const create = (name: string) => world.api.post('/v1/customers', { email: `${name}@corner.example` });
  await expect(create('lost')).rejects.toThrow('response destroyed before completion');
  for (let count = 0; count < 8; count += 1) await create(`ana${count}`);
  const till = await userWorldOf(world).openTill({ cardholder: { script: 'tap', delayMs: 500 } });
  await till.pay(1742);
  await world.advance({ minutes: 2 });
}

async function differs(trace: Trace): Promise<unknown> {
  const result = await replayTrace(trace);
  if (result.outcome === 'notReplayable') return result.reasons.join();
  return result.outcome === 'diverged' ? describeDivergence(trace, result.divergence) : undefined;
}

const struckIn = ({ items }: Trace) =>
  items.filter((item) => item.kind === 'output' && item.entry.kind === 'fault').length;

test('replay: a plan that was put on the sandbox while it was recorded strikes the replay the same', async () => {
  const recording = await world.server.services.recordings!.startUnlisted('a bad night');
  await world.api.post('/sandbox/faults', PLAN);
  await shop();
  const trace = await recording.stop();
  expect(struckIn(trace)).toBeGreaterThanOrEqual(2);
  expect(await differs(trace)).toBeUndefined();
});

test('replay: a plan of the snapshot with which the recording begins strikes the replay the same', async () => {
  await world.api.post('/sandbox/faults', PLAN);
  const recording = await world.server.services.recordings!.startUnlisted('a bad night');
  await shop();
  const trace = await recording.stop();
  expect(await differs(trace)).toBeUndefined();
  // Without its plan the replay is not struck.
  const lines = trace.snapshot.lines.filter((line) => !JSON.stringify(line).includes('power-cut'));
  expect(lines.length).toBeLessThan(trace.snapshot.lines.length);
  expect(await differs({ ...trace, snapshot: { ...trace.snapshot, lines } })).toBeDefined();
});

test('replay: a terminal that comes back later in real time than in the replay, after the broker was away, is identical', async () => {
  const till = await userWorldOf(world).openTill({ cardholder: { script: 'tap', delayMs: 500 } });
  const recording = await world.server.services.recordings!.startUnlisted('an outage');
  const when = { message: 'action.authorise' };
  const away = { at: 'message.report', what: 'broker-away', when, delayMs: 2_000 };
  await world.api.post('/sandbox/faults', { faults: [away] });
  await till.pay(1742);
  await world.advance({ minutes: 2 });
  const trace = await recording.stop();
  delete trace.header.virtualTime;
  expect(struckIn(trace)).toBe(1);
  expect(await differs(trace)).toBeUndefined();
});
