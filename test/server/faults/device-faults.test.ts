import { expect, test } from 'vitest';
import { CUT_POINTS } from '../../../server/platform/faults/cut-points.ts';
import { strikesOf } from '../../../server/sandbox-controls/faults/struck-terminals.ts';
import { PAYMENT_TERMINALS } from '../../../simulator/twins/twins.ts';
import { openTill } from '../../../testing/world/till.ts';
import { startFaultWorld } from './fault-world.ts';

/** Takes a payment at a stand-alone terminal under a plan of one fault. Returns what became of it, and what was recorded. */
async function paidAt(twin: string, fault: { at: string; what: string; delayMs?: number }) {
  const { world, put, struck } = await startFaultWorld();
  const { terminalId } = await world.addTerminal({ twin });
  const { pay, terminal, session } = openTill(world, world.fleet.terminal(terminalId)!);
  const plan = await put({ ...fault, when: { id: terminalId } });
  const recording = await world.server.services.recordings!.startUnlisted('struck');
  const { body } = await pay(1742, { currency: 'EUR' });
  await world.advance({ seconds: 5 });
  terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.advance({ minutes: 10 });
  const isUnknown = terminal.status.state === 'outcomeUnknown';
  if (isUnknown) await world.api.post(`/sandbox/terminals/${terminalId}/settle`, { outcome: 'Charged' });
  await world.advance({ minutes: 5 });
  const { items } = await recording.stop();
  const recorded = items.flatMap((item) =>
    item.kind === 'output' && item.entry.kind === 'fault' ? [item.entry.terminalId] : [],
  );
  const { status } = await session(body.action.transaction.paymentSessionId);
  const steps = terminal.perform({ act: 'control', control: 'timeline' }).terminal?.answer;
  return { terminalId, struck: await struck(plan), recorded, status, steps, isUnknown };
}

const FAULTS = Object.keys(CUT_POINTS['device.charged'].faults);

test.each(PAYMENT_TERMINALS.flatMap(({ name }) => FAULTS.map((what) => [name, what] as const)))(
  'device.charged at %s: what a plan says is done to its answer, %s, and is in the recording',
  async (twin, what) => {
    const paid = await paidAt(twin, { at: 'device.charged', what, delayMs: 2_000 });
    expect(paid.struck).toEqual([`${what} device.charged`]);
    expect(paid.recorded).toEqual([paid.terminalId]);
    expect(paid.steps).toContain('fault of a message');
    // ZVT reverses what was cut off, and sends what was lost again; the other languages ask, or a person settles it.
    expect(paid.status).toBe(twin === 'zvt' && what === 'cut' ? 'PendingPayment' : 'Captured');
  },
);

test('device.charged: an answer that comes after the till has given it up still ends the payment', async () => {
  const paid = await paidAt('caisse-ap', { at: 'device.charged', what: 'delay', delayMs: 240_000 });
  expect([paid.isUnknown, paid.status]).toEqual([false, 'Captured']);
});

test('device.message: a line that is cut before the charge leaves no money', async () => {
  const paid = await paidAt('zvt', { at: 'device.message', what: 'cut' });
  expect([paid.struck, paid.status]).toEqual([['cut device.message'], 'PendingPayment']);
});

test.each(PAYMENT_TERMINALS.map(({ name }) => name))(
  'device.charged at %s: strikes nothing where the cable is out as the card is charged, also once it is back',
  async (twin) => {
    const { world, put, struck } = await startFaultWorld();
    const { terminalId } = await world.addTerminal({ twin });
    const { pay, terminal } = openTill(world, world.fleet.terminal(terminalId)!);
    const plan = await put({ at: 'device.charged', what: 'lost' });
    await pay(1742, { currency: 'EUR' });
    await world.advance({ seconds: 5 });
    terminal.perform({ act: 'present-card', card: 'visa-contactless' });
    await world.advance({ ms: 800 });
    terminal.perform({ act: 'reader', state: 'unplugged' });
    await world.advance({ seconds: 20 });
    const steps = () => terminal.perform({ act: 'control', control: 'timeline' }).terminal?.answer;
    expect(steps()).toContain('bank.answered');
    terminal.perform({ act: 'reader', state: 'plugged-in' });
    await world.advance({ minutes: 10 });
    expect(await struck(plan)).toEqual([]);
  },
);

test('device.message: counts also a message that a fault of device.charged strikes', async () => {
  const { world, put } = await startFaultWorld();
  const { terminalId } = await world.addTerminal();
  await put([
    { at: 'device.charged', what: 'lost' },
    { at: 'device.message', what: 'twice', when: { nth: 2 } },
  ]);
  const { strikeMessage } = strikesOf(() => world.server.services);
  const sent = (isAfterCharge: boolean) => strikeMessage({ terminalId, actionId: undefined, isAfterCharge });
  expect([sent(true), sent(false), sent(false)]).toEqual([{ fault: 'lost' }, { fault: 'twice' }, undefined]);
});
