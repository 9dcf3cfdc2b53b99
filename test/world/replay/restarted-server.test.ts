import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';
import { replayTrace } from '../../../world/replay/replay-trace.ts';
import { openCheckout } from '../../kit/checkout.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';

let world: World;
beforeEach(async () => void (world = await startWorld()));
afterEach(() => world.close());

/** Records a sale before and after the server ends. */
async function recordAround(end: () => Promise<unknown>): Promise<Trace> {
  const recording = await world.server.services.recordings!.startUnlisted('two servers');
  await openCheckout(world.api).captured();
  await end();
  await openCheckout(world.api).captured();
  await world.settled();
  return recording.stop();
}

const capturesIn = ({ items }: Trace) =>
  items.filter(
    (item) => item.kind === 'output' && item.entry.kind === 'event' && item.entry.title.endsWith('captured'),
  );

test('replay: a recording in which the server was stopped and started again has both halves, and is refused with the reason', async () => {
  const trace = await recordAround(() => world.restartServer());
  expect(capturesIn(trace)).toHaveLength(2);
  expect(await replayTrace(trace)).toEqual({
    outcome: 'notReplayable',
    reasons: ['the server was stopped and started again, which a replay does not do'],
  });
});

test('replay: a recording in which the server was killed and started again has both halves, and is refused with the reason', async () => {
  const trace = await recordAround(async () => {
    await world.api.post('/sandbox/faults', { faults: [{ at: 'server.commit', what: 'kill-before' }] });
    await expect(openCheckout(world.api).captured()).rejects.toThrow('the server was killed');
  });
  expect(capturesIn(trace)).toHaveLength(2);
  expect(await replayTrace(trace)).toEqual({
    outcome: 'notReplayable',
    reasons: ['the server was killed and started again, which a replay does not do'],
  });
});
