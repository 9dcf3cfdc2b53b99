import { expect, onTestFinished, test } from 'vitest';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';
import { openTill } from '../../../testing/world/till.ts';
import { createTestPrinter } from '../../../testing/world/test-printer.ts';
import { startWorld } from '../../../testing/world/world.ts';
import { describeDivergence } from '../../../world/replay/describe-divergence.ts';
import { replayTrace } from '../../../world/replay/replay-trace.ts';

async function resultOf(trace: Trace) {
  const result = await replayTrace(trace);
  if (result.outcome === 'notReplayable') return result.reasons;
  return result.outcome === 'diverged' ? describeDivergence(trace, result.divergence) : 'identical';
}

const framesIn = ({ items }: Trace) =>
  items.flatMap((item) => (item.kind === 'output' && item.entry.bytes ? [item.entry.title] : []));

test.each(['1', '2'])(
  'replay: a terminal with a receipt printer prints as it did, in the condition in which the recording begins, in a world of seed %s',
  async (seed) => {
    const world = await startWorld({ seed, cardholder: { script: 'tap' } });
    onTestFinished(() => world.close());
    const till = openTill(world, await world.addTerminal({ twin: 'escpos' }));
    const use = (control: string, argument: string) =>
      till.terminal.perform({ act: 'control', control, argument });
    await till.takes(500);
    use('fault', 'paper-out after cut 2');
    use('state', 'near-end');
    const recording = await world.server.services.recordings!.startUnlisted('payments');
    await till.takes(601);
    await world.advance({ seconds: 5 });
    await till.pay(702);
    await world.advance({ minutes: 1 });
    use('paper', '500');
    use('cover', 'open');
    await till.pay(803);
    await world.advance({ seconds: 5 });
    use('mend', '');
    await world.advance({ minutes: 1 });
    const trace = await recording.stop();
    const titles = framesIn(trace);
    expect(titles).toContain('receipt printer, the paper is near its end');
    expect(titles).toContain('receipt printer, the paper is out');
    expect(titles).toContain('receipt printer, its cover is open');
    expect(await resultOf(trace)).toBe('identical');
  },
);

test('replay: a terminal with a receipt printer that joins in a recording has one in the replay', async () => {
  const world = await startWorld({ cardholder: { script: 'tap' } });
  onTestFinished(() => world.close());
  const recording = await world.server.services.recordings!.startUnlisted('a new terminal');
  const till = openTill(world, await world.addTerminal({ twin: 'escpos' }));
  await till.takes(601);
  await world.advance({ minutes: 1 });
  const trace = await recording.stop();
  expect(trace.items.find((item) => item.kind === 'terminal')).toMatchObject({ twin: 'escpos' });
  expect(framesIn(trace).length).toBeGreaterThan(4);
  expect(await resultOf(trace)).toBe('identical');
  delete trace.header.virtualTime;
  expect(await resultOf(trace)).toBe('identical');
});

test('replay: a terminal that printed at a printer of the test prints at one like it', async () => {
  const world = await startWorld({ cardholder: { script: 'tap' } });
  onTestFinished(() => world.close());
  const options = { columns: 42, faults: ['paper-out after cut 1'] } as const;
  const printer = createTestPrinter(options, { clock: world.clock, log: world.forTerminals.log });
  const till = openTill(world, await world.addTerminal({ printer }));
  const recording = await world.server.services.recordings!.startUnlisted('a printer of the test');
  await till.pay(601);
  await world.advance({ seconds: 10 });
  expect(printer.paper).toBe('out');
  till.terminal.perform({ act: 'paper', sheets: 20 });
  await world.advance({ minutes: 1 });
  expect(printer.receipts).toHaveLength(2);
  expect(await resultOf(await recording.stop())).toBe('identical');
});
