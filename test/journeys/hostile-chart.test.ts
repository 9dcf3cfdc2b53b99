import { expect, onTestFinished, test } from 'vitest';
import { MachineDescribed } from '../../protocol/messages/inspection.messages.ts';
import { readableLog } from '../contract/peer.ts';
import { startWorld } from '../../testing/world/world.ts';
import { hostileTerminal } from './hostile-terminal.ts';

test('terminal machine: one that is too large to draw is tried once, and other charts are shown', async () => {
  const { log, lines } = readableLog();
  const world = await startWorld({ log });
  onTestFinished(() => world.close());
  const terminal = await hostileTerminal(world);
  const states = Object.fromEntries(
    Array.from({ length: 30 }, (_, from) => {
      const events = Array.from({ length: 8 }, (_event, step) => [
        `e${step}`,
        [{ target: [`#dense.s${(from * 7 + step * 5 + 1) % 30}`] }],
      ]);
      return [`s${from}`, { on: Object.fromEntries(events) as object }];
    }),
  );
  await terminal.publish(MachineDescribed, { machineId: 'dense', definition: { id: 'dense', states } });
  for (let pages = 0; pages < 2; pages += 1) {
    expect((await world.api.get('/dashboard/machines/dense')).status).toBe(404);
    const { machines } = (await world.api.get('/dashboard/machines')).body;
    const names = machines.map(({ shape }: { shape: { machineId: string } }) => shape.machineId);
    expect(names).toContain('paymentSession');
    expect(names).not.toContain('dense');
  }
  expect(lines.filter(({ msg }) => msg === 'a machine cannot be drawn')).toHaveLength(1);
});

test('terminal machine: a terminal that describes many leaves room for those of other terminals', async () => {
  const world = await startWorld();
  onTestFinished(() => world.close());
  const terminal = await hostileTerminal(world);
  for (let n = 0; n < 60; n += 1) {
    const definition = { id: `m${n}`, states: { only: {} } };
    await terminal.publish(MachineDescribed, { machineId: `m${n}`, definition });
  }
  expect((await world.api.get('/dashboard/machines/m59')).status).toBe(200);
  await world.addTerminal();
  await world.settled();
  expect((await world.api.get('/dashboard/machines/action')).status).toBe(200);
});
