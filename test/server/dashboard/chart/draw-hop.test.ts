import { expect, test } from 'vitest';
import { ACTION_MACHINE } from '../../../../agent/inspection.ts';
import { hopRoute } from '../../../../server/dashboard/chart/draw-hop.ts';
import { layOut } from '../../../../server/dashboard/chart/layout.ts';
import { routeAround } from '../../../../server/dashboard/chart/route-around.ts';
import { SERVER_MACHINES } from '../../../../server/machines.ts';
import { isOnBorder, statesCrossed } from './geometry.ts';

test.each([ACTION_MACHINE, ...SERVER_MACHINES])(
  'hopRoute: an arrow between any two states of $machineId goes around all others',
  async (shape) => {
    const layout = await layOut(shape);
    const leaves = layout.states.filter(({ compound }) => !compound);
    const flaws = leaves.flatMap((from) =>
      leaves
        .filter((to) => to.final && to !== from)
        .flatMap((to) => {
          const points = hopRoute({ from: from.path, to: to.path }, layout);
          const name = `${from.path} → ${to.path}`;
          return [
            ...statesCrossed(points, layout, [from.path, to.path]).map((path) => `${name} crosses ${path}`),
            ...(points[0] && isOnBorder(from, points[0]) ? [] : [`${name} does not begin at its state`]),
            ...(points.length > 1 && isOnBorder(to, points.at(-1)!)
              ? []
              : [`${name} does not end at its state`]),
          ];
        }),
    );
    expect(flaws).toEqual([]);
  },
);

const box = (x: number, y: number, width = 40, height = 20) => ({ x, y, width, height });

test('routeAround: is straight where nothing is in between', () => {
  expect(routeAround(box(0, 0), box(0, 100), [])).toEqual([
    { x: 20, y: 20 },
    { x: 20, y: 100 },
  ]);
});

test('routeAround: goes around an obstacle', () => {
  const points = routeAround(box(0, 0), box(0, 100), [box(-10, 50, 50)])!;
  expect(points).toEqual([
    { x: 40, y: 10 },
    { x: 48, y: 10 },
    { x: 48, y: 110 },
    { x: 40, y: 110 },
  ]);
});

test('routeAround: is undefined when the box is walled in', () => {
  const walls = [
    box(-100, -60, 300, 10),
    box(-100, 60, 300, 10),
    box(-100, -60, 10, 130),
    box(190, -60, 10, 130),
  ];
  expect(routeAround(box(0, 0), box(400, 0), walls)).toBeUndefined();
});
