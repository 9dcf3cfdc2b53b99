import { expect, test } from 'vitest';
import { ACTION_MACHINE } from '../../../../agent/inspection.ts';
import { drawChart } from '../../../../server/dashboard/chart/draw.ts';
import { layOut } from '../../../../server/dashboard/chart/layout.ts';
import { marksOf, type TakenStep } from '../../../../server/dashboard/chart/marks.ts';
import { SERVER_MACHINES } from '../../../../server/machines.ts';

const terminal = await layOut(ACTION_MACHINE);
const server = await layOut(SERVER_MACHINES.find(({ machineId }) => machineId === 'serverAction')!);

const taken = (layout: typeof terminal, ...steps: TakenStep[]) => [...marksOf(layout, steps).taken];

test('marksOf: marks nothing before the first step', () => {
  expect(marksOf(terminal, [])).toEqual({ active: null, visited: new Set(), taken: new Set() });
});

test('marksOf: a step marks the transition to its state, or to an enclosing state', () => {
  expect(taken(terminal, { event: 'card.presented', from: 'awaitingCard', state: 'reading' })).toEqual([
    'awaitingCard card.presented reading',
  ]);
  const approved = { event: 'issuer.approved', from: 'authorising', state: 'approved.printing.merchantCopy' };
  expect(taken(terminal, approved)).toEqual(['authorising issuer.approved approved.printing']);
});

test('marksOf: a state without a transition of its own takes that of its parents', () => {
  const cancelled = {
    event: 'action.cancelled',
    from: 'approved.printing.merchantCopy',
    state: 'cancelling',
  };
  expect(taken(terminal, cancelled)).toEqual([' action.cancelled cancelling']);
  const failed = { event: 'reader.failed', from: 'approved.completing', state: 'reversing' };
  expect(taken(terminal, failed)).toEqual(['approved reader.failed reversing']);
});

test('marksOf: the innermost transition wins, even a forbidden one', () => {
  const again = { event: 'action.cancelled', from: 'cancelling', state: 'cancelling' };
  expect(taken(terminal, again)).toEqual(['cancelling action.cancelled cancelling']);
});

test('marksOf: an internal transition marks its line in the box', () => {
  const asked = { event: 'inquiry.sent', from: 'approved.completing', state: 'approved.completing' };
  expect(taken(terminal, asked)).toEqual(['approved.completing inquiry.sent approved.completing']);
});

test('marksOf: a transient state is marked with its transitions in and out', () => {
  const marks = marksOf(server, [{ event: 'issuer.approved', from: 'awaitingCard', state: 'printing' }]);
  expect([...marks.taken]).toEqual(['awaitingCard issuer.approved approved', 'approved always printing']);
  expect([...marks.visited].sort()).toEqual(['approved', 'printing']);
  expect(marks.active).toBe('printing');
});

test('marksOf: parents of a visited state are visited', () => {
  const { visited } = marksOf(terminal, [
    { event: 'power.returned', from: null, state: 'approved.printing.customerCopy' },
  ]);
  expect([...visited].sort()).toEqual(['approved', 'approved.printing', 'approved.printing.customerCopy']);
});

test('marksOf: an unknown step marks its target, and no transition', () => {
  const marks = marksOf(terminal, [{ event: 'reader.exploded', from: 'reading', state: 'nowhere' }]);
  expect(marks.taken.size).toBe(0);
  expect(marks.active).toBe('nowhere');
});

test('marksOf: the last step of a decline, allowed in any state, is drawn as an arrow to where the machine ends', () => {
  const ended = { event: 'action.ended', from: 'declined', state: 'failed' };
  const marks = marksOf(terminal, [ended]);
  expect(marks.hops).toEqual([{ from: 'declined', to: 'failed', event: 'action.ended' }]);
  const drawing = drawChart(terminal, { marks });
  expect(drawing).toContain('data-hop="declined action.ended failed"');
  expect(drawChart(terminal, { marks: marksOf(terminal, []) })).not.toContain('data-hop');
});
