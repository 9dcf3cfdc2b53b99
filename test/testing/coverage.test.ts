import { expect, test } from 'vitest';
import { ACTION_MACHINE } from '../../agent/inspection.ts';
import { layOut } from '../../server/dashboard/chart/layout.ts';
import { SERVER_MACHINES } from '../../server/machines.ts';
import type { TakenStep } from '../../server/dashboard/chart/marks.ts';
import { coverageOf, missingOf, percentOf } from '../../testing/reporter/coverage.ts';

const counted = (...steps: TakenStep[]) =>
  new Map(steps.map((step) => [JSON.stringify(step), { step, times: 2 }]));
const first = (state: string): TakenStep => ({ event: 'action.started', from: null, state });

test('report coverage: a state counts with its parents, a transition when it was taken', async () => {
  const layout = await layOut(ACTION_MACHINE);
  const { states, transitions, unexplained } = coverageOf(
    layout,
    counted(
      first('awaitingCard'),
      { event: 'card.read', from: 'awaitingCard', state: 'authorising' },
      { event: 'issuer.approved', from: 'authorising', state: 'approved.printing.merchantCopy' },
    ),
  );
  expect(states.filter(({ times }) => times > 0).map(({ key }) => key)).toEqual(
    expect.arrayContaining([
      'awaitingCard',
      'authorising',
      'approved',
      'approved.printing',
      'approved.printing.merchantCopy',
    ]),
  );
  expect(missingOf(states)).toContain('reading');
  expect(transitions.filter(({ times }) => times === 2)).toHaveLength(2);
  expect(unexplained).toEqual([]);
});

test('report coverage: a transient state counts as visited', async () => {
  const layout = await layOut(SERVER_MACHINES.find(({ machineId }) => machineId === 'serverAction')!);
  const { states, transitions } = coverageOf(
    layout,
    counted({ event: 'issuer.approved', from: 'awaitingCard', state: 'printing' }),
  );
  expect(missingOf(states)).not.toContain('approved');
  expect(missingOf(transitions)).not.toContain('approved always printing');
});

test('report coverage: a forbidden event is no transition and not counted', async () => {
  const layout = await layOut(ACTION_MACHINE);
  const { transitions } = coverageOf(layout, counted());
  expect(transitions.map(({ key }) => key)).not.toContain('cancelling action.cancelled cancelling');
});

test('report coverage: a step that is not in the chart is listed and not counted', async () => {
  const layout = await layOut(ACTION_MACHINE);
  const { unexplained, transitions } = coverageOf(
    layout,
    counted({ event: 'card.read', from: 'declined', state: 'reading' }),
  );
  expect(unexplained).toEqual(['declined card.read reading']);
  expect(missingOf(transitions)).toHaveLength(transitions.length);
});

test('report coverage: is 100 per cent only when nothing is missing', () => {
  const of = (seen: number, all: number) =>
    Array.from({ length: all }, (_, at) => ({ key: `${at}`, times: at < seen ? 1 : 0 }));
  expect(percentOf(of(999, 1000))).toBe(99);
  expect(percentOf(of(1000, 1000))).toBe(100);
  expect(percentOf([])).toBe(100);
});
