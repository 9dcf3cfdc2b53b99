import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeDivergence } from '../../../world/replay/describe-divergence.ts';
import { replayTrace } from '../../../world/replay/replay-trace.ts';
import { openCheckout } from '../../kit/checkout.ts';
import { openTill } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';

let world: World;
beforeEach(async () => void (world = await startWorld()));
afterEach(() => world.close());

test('replay: what goes on after a payment and its webhook from before the recording is identical', async () => {
  const till = openTill(world, await world.addTerminal());
  const receiver = await world.listen('shop', ['PaymentSession.captured', 'PaymentSession.refunded']);
  receiver.behaviour = 500;
  const session = await till.takes(1742);
  await world.advance({ minutes: 2 });

  const recording = await world.server.services.recordings!.startUnlisted('afterwards');
  await openCheckout(world.api).move(session, 'refunds', { amount: 250 });
  await world.advance({ minutes: 60 });
  const trace = await recording.stop();

  const outputs = trace.items.flatMap((item) => (item.kind === 'output' ? [item.entry] : []));
  // The recorded server has seen the payment at the terminal, that of the replay has not.
  expect(outputs.find(({ kind }) => kind === 'step')?.terminalId).toBe(till.terminal.terminalId);
  expect(outputs.map(({ title }) => title)).toContain(
    'PaymentSession.captured: 500, attempt 4 → shop.example',
  );
  const result = await replayTrace(trace);
  expect('divergence' in result && describeDivergence(trace, result.divergence)).toBe(false);
  expect(result).toMatchObject({ outcome: 'identical' });
});
