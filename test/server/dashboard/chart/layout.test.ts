import { expect, test } from 'vitest';
import { ACTION_MACHINE } from '../../../../agent/inspection.ts';
import { createLayOut, layOut } from '../../../../server/dashboard/chart/layout.ts';
import { SERVER_MACHINES } from '../../../../server/machines.ts';
import { flawsOf } from './geometry.ts';
import { anyMachine } from './made-machines.ts';
import { property } from '../../../property.ts';

test.each([ACTION_MACHINE, ...SERVER_MACHINES])(
  'layOut: lays out $machineId without overlaps',
  async (shape) => {
    const layout = await layOut(shape);
    expect(flawsOf(layout)).toEqual([]);
    // In a window of 1280 pixels its letters are no smaller than ten pixels.
    expect(layout.width).toBeLessThanOrEqual((1_280 * 11) / 10);
  },
);

property([anyMachine], { numRuns: 40 })('any machine is laid out without a flaw', async (shape) => {
  expect(flawsOf(await layOut(shape))).toEqual([]);
});

test('layOut: a machine starts at the top and runs downwards', async () => {
  const { states } = await layOut(ACTION_MACHINE);
  const at = (path: string) => states.find((state) => state.path === path)!.y;
  const life = [
    'awaitingCard',
    'reading',
    'awaitingPin',
    'verifyingPin',
    'authorising',
    'approved',
    'reversing',
  ];
  expect(life.map(at)).toEqual(life.map(at).sort((a, b) => a - b));
});

test('layOut: lays out one shape once, however many terminals have it, and the same each time', async () => {
  const shape = { machineId: 'one', definition: { id: 'one', initial: 'a', states: { a: {} } } };
  expect(layOut(structuredClone(shape))).toBe(layOut(shape));
  const renamed = await layOut({ ...shape, machineId: 'two' });
  expect({ ...renamed, machineId: 'one' }).toEqual(await layOut(shape));
});

test('layOut: the servers of a process share the layouts that are finished', async () => {
  const shape = { machineId: 'shared', definition: { id: 'shared', initial: 'a', states: { a: {} } } };
  const first = await createLayOut()(shape);
  expect(await createLayOut()(structuredClone(shape))).toBe(first);
});

test('layOut: a parallel state contains its regions, a history state is a circle', async () => {
  const slot = { initial: 'empty', states: { empty: {}, back: { type: 'history', history: 'deep' } } };
  const field = { initial: 'idle', states: { idle: {} } };
  const reader = { type: 'parallel', states: { slot, field } };
  const layout = await layOut({
    machineId: 'r',
    definition: { id: 'r', initial: 'reader', states: { reader } },
  });
  expect(flawsOf(layout)).toEqual([]);
  expect(layout.states.filter(({ parallel }) => parallel).map(({ path }) => path)).toEqual(['reader']);
  expect(layout.states.find(({ path }) => path === 'reader.slot.back')).toMatchObject({ history: 'deep' });
  expect(layout.starts.map(({ to }) => to)).toEqual(['reader', 'reader.slot.empty', 'reader.field.idle']);
});

test('layOut: refuses a machine without states', async () => {
  const empty = await layOut({ machineId: 'empty', definition: { id: 'empty' } });
  expect(empty.states).toEqual([]);
  await expect(layOut({ machineId: 'none', definition: 7 })).rejects.toThrow(/has no states/);
});
