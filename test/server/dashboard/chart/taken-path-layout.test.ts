import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ACTION_MACHINE } from '../../../../agent/inspection.ts';
import type { Box } from '../../../../server/dashboard/chart/chart.ts';
import { overlap } from '../../../../server/dashboard/chart/draw-hop.ts';
import { drawTakenPath } from '../../../../server/dashboard/chart/draw-taken-path.ts';
import { layOut } from '../../../../server/dashboard/chart/layout.ts';
import type { TakenStep } from '../../../../server/dashboard/chart/marks.ts';
import { splitIntoColumns } from '../../../../server/dashboard/chart/taken-path-layout.ts';
import { layOutPath, type PathLayout } from '../../../../server/dashboard/chart/taken-path-layout.ts';
import { takenPath } from '../../../../server/dashboard/chart/taken-path.ts';
import { property } from '../../../property.ts';
import { flawsOfXml } from './well-formed.ts';

const terminal = await layOut(ACTION_MACHINE);

/** The pane of the chart in a window of 1440 by 900, without the margins that the page leaves. */
const PANE = { width: 888, height: 460 };

const walk = (...states: [event: string, state: string][]): TakenStep[] =>
  states.map(([event, state], at) => ({ event, from: states[at - 1]?.[1] ?? null, state }));

const CARD = [
  ['action.started', 'awaitingCard'],
  ['card.presented', 'reading'],
] as [string, string][];
const PRINTED = [
  ['issuer.approved', 'approved.printing.merchantCopy'],
  ['copy.printed', 'approved.printing.customerCopy'],
  ['copy.printed', 'approved.completing'],
  ['action.ended', 'succeeded'],
] as [string, string][];
const PIN = [
  ['card.read', 'awaitingPin'],
  ['pin.entered', 'verifyingPin'],
  ['pin.accepted', 'authorising'],
] as [string, string][];
const WRONG_PIN = [PIN[0]!, ['pin.entered', 'verifyingPin'], ['pin.rejected', 'awaitingPin']] as [
  string,
  string,
][];

test.each([
  ['approved', walk(...CARD, ['card.read', 'authorising'], ...PRINTED)],
  ['approved with PIN', walk(...CARD, ...PIN, ...PRINTED)],
  ['approved with a second PIN', walk(...CARD, ...WRONG_PIN, ...PIN.slice(1), ...PRINTED)],
  ['declined', walk(...CARD, ...PIN, ['issuer.declined', 'declined'], ['action.ended', 'failed'])],
  ['cancelled', walk(...CARD, ['action.cancelled', 'cancelling'], ['action.ended', 'cancelled'])],
  ['timed out', walk(CARD[0]!, ['deadline.passed', 'abandoning'], ['action.ended', 'failed'])],
])('layOutPath: text of a payment that was %s has eleven pixels in a window of 1440 by 900', (_, steps) => {
  const { width, height } = layOutPath(takenPath(terminal, steps), PANE);
  expect(11 * Math.min(PANE.width / width, PANE.height / height)).toBeGreaterThanOrEqual(10.9);
});

const STATES = terminal.states.filter(({ compound }) => !compound).map(({ path }) => path);
const EVENTS = ['card.read', 'issuer.approved', 'inquiry.sent', 'anEventThatNoMachineKnowsAtAll'];
const anyWalk = fc.array(fc.tuple(fc.constantFrom(...EVENTS), fc.constantFrom(...STATES)), {
  minLength: 1,
  maxLength: 14,
});
const anyPane = fc.record({
  width: fc.integer({ min: 100, max: 2_000 }),
  height: fc.integer({ min: 100, max: 2_000 }),
});

property([anyWalk, anyPane], { numRuns: 60 })('any path is laid out without overlaps', (states, pane) => {
  const layout = layOutPath(takenPath(terminal, walk(...states)), pane);
  expect(flawsOfPath(layout)).toEqual([]);
  expect(flawsOfXml(drawTakenPath(layout, { stepCount: states.length, active: null }))).toEqual([]);
});

test('layOutPath: the label of an arrow that is wider than its state stands above the exits of that state', () => {
  const long = walk(
    ['card.read', 'approved.completing'],
    ['anEventThatNoMachineKnowsAtAll', 'awaitingCard'],
    ['card.read', 'approved.completing'],
  );
  expect(flawsOfPath(layOutPath(takenPath(terminal, long), { width: 100, height: 100 }))).toEqual([]);
});

test('layOutPath: a narrow pane has one column, a wide one several', () => {
  const path = takenPath(terminal, walk(...CARD, ...PIN, ...PRINTED));
  const columnsIn = (width: number, height: number) => {
    const { rows } = layOutPath(path, { width, height });
    return rows.filter(({ box }, at) => box.y < (rows[at - 1]?.box.y ?? Infinity)).length;
  };
  expect(columnsIn(390, 800)).toBe(1);
  expect(columnsIn(850, 440)).toBe(2);
});

test('layOutPath: a narrow pane leaves out the events of transitions that were not taken', () => {
  const path = takenPath(terminal, walk(...CARD, ...PIN, ...PRINTED));
  const texts = (pane: { width: number; height: number }) =>
    layOutPath(path, pane).rows.flatMap(({ exits }) => exits.map(({ text }) => text));
  expect(texts(PANE)).toContain('cancel.pressed +5');
  expect(new Set(texts({ width: 300, height: 900 }))).toEqual(new Set(['']));
});

test('drawTakenPath: marks the active state, and draws paler what came after the moment', () => {
  const steps = walk(...CARD, ['card.read', 'authorising']);
  const svg = drawTakenPath(layOutPath(takenPath(terminal, steps), PANE), {
    stepCount: 2,
    active: 'reading',
  });
  const group = (attribute: string) => new RegExp(`<g class="([^"]*)" ${attribute}`).exec(svg)?.[1];
  expect(group('data-state="awaitingCard"')).toBe('state visited');
  expect(group('data-state="reading"')).toBe('state active');
  expect(group('data-state="authorising"')).toBe('state');
  expect(group('data-arrow="awaitingCard reading"')).toBe('arrow taken');
  expect(group('data-arrow="reading authorising"')).toBe('arrow');
  expect(svg).toContain('data-exit="abandoning"');
});

test('splitIntoColumns: keeps the order and makes the highest column as low as possible', () => {
  expect(splitIntoColumns([3, 1, 1, 1], 2)).toEqual([[0], [1, 2, 3]]);
  expect(splitIntoColumns([1, 1, 1, 3], 2)).toEqual([[0, 1, 2], [3]]);
  expect(splitIntoColumns([2, 2, 2, 2], 4)).toEqual([[0], [1], [2], [3]]);
  expect(splitIntoColumns([], 3)).toEqual([]);
});

/** What covers something else, or is outside the drawing. */
function flawsOfPath({ width, height, rows, arrows, anywhere }: PathLayout): string[] {
  const boxes: { name: string; box: Box }[] = [
    ...rows.map(({ state, box }) => ({ name: state.path, box })),
    ...rows.flatMap(({ state, exits }) =>
      exits
        .filter(({ to }) => to !== null)
        .map(({ to, chip }) => ({ name: `${state.path}: ${to}`, box: chip })),
    ),
    ...arrows
      .filter(({ lines }) => lines.length > 0)
      .map(({ from, to, plate }) => ({ name: `the label ${from} → ${to}`, box: plate })),
    ...anywhere.flatMap((piece) => (piece.kind === 'chip' ? [{ name: `any: ${piece.to}`, box: piece }] : [])),
  ];
  const outside = boxes.filter(
    ({ box }) => box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height,
  );
  const overlaps = boxes.flatMap((one, at) =>
    boxes
      .slice(at + 1)
      .filter(({ box }) => overlap(one.box, box))
      .map(({ name }) => `${one.name} covers ${name}`),
  );
  return [...outside.map(({ name }) => `${name} is outside`), ...overlaps];
}
