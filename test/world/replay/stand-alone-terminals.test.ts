import { expect, onTestFinished, test } from 'vitest';
import { PAYMENT_TERMINALS } from '../../../simulator/twins/twins.ts';
import { openTill } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';
import { describeDivergence } from '../../../world/replay/describe-divergence.ts';
import { replayTrace } from '../../../world/replay/replay-trace.ts';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';

async function resultOf(trace: Trace) {
  const result = await replayTrace(trace);
  if (result.outcome === 'notReplayable') return result.reasons;
  return result.outcome === 'diverged' ? describeDivergence(trace, result.divergence) : 'identical';
}

function inRealTime(trace: Trace): Trace {
  const header = { ...trace.header };
  delete header.virtualTime;
  return { ...trace, header };
}

const tillOf = (world: World, terminalId: string) => openTill(world, world.fleet.terminal(terminalId)!);

/** Takes a payment, whose answer a fault of the terminal may strike. */
async function pays(world: World, terminalId: string, fault?: string): Promise<void> {
  const { pay, terminal } = tillOf(world, terminalId);
  if (fault) terminal.perform({ act: 'control', control: 'fault-after-approval', argument: fault });
  await pay(1742, { currency: 'EUR' });
  await world.advance({ seconds: 5 });
  terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.advance({ minutes: 5 });
  if (terminal.status.state !== 'outcomeUnknown') return;
  await world.api.post(`/sandbox/terminals/${terminalId}/settle`, { outcome: 'Charged' });
  await world.advance({ minutes: 1 });
}

const LANGUAGES = PAYMENT_TERMINALS.map(({ name }) => name);

test.each(LANGUAGES.flatMap((language) => ['1', '2', '3'].map((seed) => [language, seed] as const)))(
  'replay: what a till and a %s terminal say has the same bytes, masked as they were, in a world of seed %s',
  async (twin, seed) => {
    const world = await startWorld({ seed });
    onTestFinished(() => world.close());
    const { terminalId } = await world.addTerminal({ twin });
    // A connection to a ZVT terminal lasts, and a recording has none that was opened before it.
    if (twin !== 'zvt') await pays(world, terminalId);
    const recording = await world.server.services.recordings!.startUnlisted('two payments');
    await pays(world, terminalId);
    await pays(world, terminalId, 'cut');
    const trace = await recording.stop();
    const frames = trace.items.filter((item) => item.kind === 'output' && item.entry.bytes !== undefined);
    expect(frames.length).toBeGreaterThan(4);
    expect(await resultOf(trace)).toBe('identical');
    expect(await resultOf(inRealTime(trace))).toBe('identical');
  },
);
