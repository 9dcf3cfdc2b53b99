import { expect, test } from 'vitest';
import { ACTION_MACHINE } from '../../../../agent/inspection.ts';
import { layOut } from '../../../../server/dashboard/chart/layout.ts';
import { marksOf, type TakenStep } from '../../../../server/dashboard/chart/marks.ts';
import { SERVER_MACHINES } from '../../../../server/machines.ts';

const terminal = await layOut(ACTION_MACHINE);
const server = await layOut(SERVER_MACHINES.find(({ machineId }) => machineId === 'serverAction')!);

const taken = (layout: typeof terminal, ...steps: TakenStep[]) => [...marksOf(layout, steps).taken];

test('before anything was heard nothing is marked', () => {
  expect(marksOf(terminal, [])).toEqual({ active: null, visited: new Set(), taken: new Set() });
});

test('a step marks the way to the very state, or to one around it', () => {
  expect(taken(terminal, { event: 'card.presented', from: 'awaitingCard', state: 'reading' })).toEqual([
    'awaitingCard card.presented reading',
  ]);
  const approved = { event: 'issuer.approved', from: 'authorising', state: 'approved.printing.merchantCopy' };
  expect(taken(terminal, approved)).toEqual(['authorising issuer.approved approved.printing']);
});

test('what a state leaves to those around it is their way', () => {
  const cancelled = {
    event: 'action.cancelled',
    from: 'approved.printing.merchantCopy',
    state: 'cancelling',
  };
  expect(taken(terminal, cancelled)).toEqual([' action.cancelled cancelling']);
  const failed = { event: 'reader.failed', from: 'approved.completing', state: 'reversing' };
  expect(taken(terminal, failed)).toEqual(['approved reader.failed reversing']);
});

test('of ways around it the innermost counts, even when it is to ignore', () => {
  const again = { event: 'action.cancelled', from: 'cancelling', state: 'cancelling' };
  expect(taken(terminal, again)).toEqual(['cancelling action.cancelled cancelling']);
});

test('a step in place marks the line in the box', () => {
  const asked = { event: 'server.asked', from: 'approved.completing', state: 'approved.completing' };
  expect(taken(terminal, asked)).toEqual(['approved.completing server.asked approved.completing']);
});

test('a state that is only passed through is marked with the ways in and out', () => {
  const marks = marksOf(server, [{ event: 'issuer.approved', from: 'awaitingCard', state: 'printing' }]);
  expect([...marks.taken]).toEqual(['awaitingCard issuer.approved approved', 'approved always printing']);
  expect([...marks.visited].sort()).toEqual(['approved', 'printing']);
  expect(marks.active).toBe('printing');
});

test('states around one are visited with it', () => {
  const { visited } = marksOf(terminal, [
    { event: 'power.returned', from: null, state: 'approved.printing.customerCopy' },
  ]);
  expect([...visited].sort()).toEqual(['approved', 'approved.printing', 'approved.printing.customerCopy']);
});

test('a step that the chart does not know marks where it led, and no way', () => {
  const marks = marksOf(terminal, [{ event: 'reader.exploded', from: 'reading', state: 'nowhere' }]);
  expect(marks.taken.size).toBe(0);
  expect(marks.active).toBe('nowhere');
});
