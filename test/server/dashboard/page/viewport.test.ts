import { expect, test } from 'vitest';
import type { ChartLayout } from '../../../../server/dashboard/chart/chart.ts';
import {
  interpolate,
  fitWhole,
  centredOn,
  isLegible,
  panned,
  scaleOf,
  zoomed,
} from '../../../../server/dashboard/page/chart/viewport.ts';
import { layOut } from '../../../../server/dashboard/chart/layout.ts';

const PANE = { width: 700, height: 350 };

test('viewport: a small chart is shown whole, centred and not enlarged', () => {
  const small = { width: 200, height: 100 };
  const view = fitWhole(small, PANE);
  expect(scaleOf(view, PANE)).toBeLessThan(1.2);
  expect(view.x + view.width / 2).toBeCloseTo(100);
  expect(view.y + view.height / 2).toBeCloseTo(50);
  expect(isLegible(small, PANE)).toBe(true);
  expect(isLegible({ width: 1200, height: 2700 }, PANE)).toBe(false);
  // A payment with a PIN in a window of 1280 by 800 is shown whole.
  const pane = { width: 736, height: 405 };
  expect(isLegible({ width: 842, height: 462 }, pane)).toBe(true);
  expect(isLegible({ width: 880, height: 462 }, pane)).toBe(false);
});

async function chain(count: number): Promise<ChartLayout> {
  const names = Array.from({ length: count }, (_, index) => `s${index}`);
  const states = Object.fromEntries(
    names.map((name, index) => [
      name,
      names[index + 1] ? { on: { next: [{ target: [`#chain.${names[index + 1]}`] }] } } : {},
    ]),
  );
  return layOut({ machineId: 'chain', definition: { id: 'chain', initial: 's0', states } });
}

test('centredOn: keeps the state visible and the viewport within the chart', async () => {
  const layout = await chain(20);
  for (const path of ['s0', 's10', 's19', null]) {
    const state = layout.states.find((one) => one.path === (path ?? 's0'))!;
    const view = centredOn(layout, path, PANE);
    // Its smallest text of 11 pixels is shown with 10.
    expect(11 * scaleOf(view, PANE)).toBeCloseTo(10);
    expect(view.y).toBeLessThanOrEqual(state.y);
    expect(view.y + view.height).toBeGreaterThanOrEqual(state.y + state.height);
    expect(view.y).toBeGreaterThanOrEqual(-20);
    expect(view.y + view.height).toBeLessThanOrEqual(layout.height + 20);
  }
});

test('viewport: zooming keeps the point under the pointer, within limits', () => {
  const view = { x: 100, y: 50, width: 350, height: 175 };
  const nearer = zoomed(view, PANE, 1.25, 140, 70);
  expect(nearer.x + 140 / scaleOf(nearer, PANE)).toBeCloseTo(100 + 140 / 2);
  expect(scaleOf(nearer, PANE)).toBeCloseTo(2.5);
  expect(scaleOf(zoomed(view, PANE, 1_000), PANE)).toBeCloseTo(2.5);
  expect(scaleOf(zoomed(view, PANE, 0.0001), PANE)).toBeCloseTo(0.1);
});

test('viewport: dragging moves the chart', () => {
  const view = { x: 100, y: 50, width: 350, height: 175 };
  expect(panned(view, PANE, 20, -10)).toEqual({ ...view, x: 90, y: 55 });
  expect(interpolate(view, { ...view, x: 200 }, 0.5).x).toBe(150);
});
