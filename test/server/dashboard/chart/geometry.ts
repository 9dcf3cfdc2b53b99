import type { Box, ChartLayout, ChartTransition, Point } from '../../../../server/dashboard/chart/chart.ts';
import { parentOf } from '../../../../server/dashboard/chart/state-tree.ts';

/** Half a pixel is not seen. */
const NEAR = 0.5;

/** What is wrong with a layout, in words; nothing when all is where it should be. */
export function flawsOf(layout: ChartLayout): string[] {
  return [
    ...flawsOfStates(layout),
    ...flawsOfArrows(layout),
    ...flawsOfLines(layout),
    ...flawsOfLabels(layout),
    ...flawsOfInnerLines(layout),
  ];
}

function flawsOfStates({ states, width, height }: ChartLayout): string[] {
  const sheet = { x: 0, y: 0, width, height };
  return states.flatMap((state, at) => {
    const parent = states.find(({ path }) => path === parentOf(state.path));
    const later = states.slice(at + 1).filter(({ path }) => parentOf(path) === parentOf(state.path));
    return [
      ...(holds(parent ?? sheet, state)
        ? []
        : [`${state.path} is not inside ${parent?.path ?? 'the sheet'}`]),
      ...(holds(state, state.head) ? [] : [`the head of ${state.path} is not inside it`]),
      ...(parent && overlap(parent.head, state) ? [`${state.path} covers the head of ${parent.path}`] : []),
      ...later.filter((other) => overlap(state, other)).map((other) => `${state.path} covers ${other.path}`),
    ];
  });
}

function flawsOfArrows({ states, transitions, starts }: ChartLayout): string[] {
  const box = (path: string) => states.find((state) => state.path === path)!;
  return [
    ...transitions.flatMap(({ kind, from, to, event, points }) => {
      if (kind !== 'arrow') return points.length === 0 ? [] : [`${from} ${event} has points`];
      const [first, last] = [points[0], points.at(-1)];
      if (!first || !last || points.length < 2) return [`${from} ${event} ${to} has no points`];
      return [
        ...(isOnBorder(box(from), first) ? [] : [`${from} ${event} ${to} does not begin at ${from}`]),
        ...(isOnBorder(box(to), last) ? [] : [`${from} ${event} ${to} does not end at ${to}`]),
      ];
    }),
    ...starts.flatMap(({ to, points }) => {
      const last = points.at(-1);
      return last && isOnBorder(box(to), last) ? [] : [`the start does not lead to ${to}`];
    }),
  ];
}

/** What a line runs through that is not its own; lines may cross each other. */
function flawsOfLines({ states, transitions, starts }: ChartLayout): string[] {
  const plates = platesOf(transitions);
  const lines = [...transitions, ...starts.map((start) => ({ ...start, from: 'the start' }))];
  return lines.flatMap(({ from, to, points }) => [
    ...states
      .filter(({ compound, head }) => compound && crosses(points, head))
      .map(({ path }) => `${from} → ${to} runs through the head of ${path}`),
    ...states
      .filter(
        (state) => !state.compound && state.path !== from && state.path !== to && crosses(points, state),
      )
      .map(({ path }) => `${from} → ${to} runs through ${path}`),
    ...plates
      .filter(({ name, box }) => name !== `the label ${from} → ${to}` && crosses(points, box))
      .map(({ name }) => `${from} → ${to} runs through ${name}`),
  ]);
}

/** Returns the paths of the states without children that a line runs through, but for those named. */
export function statesCrossed(points: Point[], { states }: ChartLayout, except: string[]): string[] {
  return states
    .filter((state) => !state.compound && !except.includes(state.path) && crosses(points, state))
    .map(({ path }) => path);
}

/** The labels of one arrow are one plate. */
function platesOf(transitions: ChartTransition[]): { name: string; box: Box }[] {
  const plates = new Map<string, Box>();
  for (const { kind, from, to, label } of transitions) {
    if (kind !== 'arrow') continue;
    const name = `the label ${from} → ${to}`;
    const before = plates.get(name);
    plates.set(name, before ? { ...before, height: label.y + label.height - before.y } : label);
  }
  return [...plates].map(([name, box]) => ({ name, box }));
}

function flawsOfLabels({ states, transitions, width, height }: ChartLayout): string[] {
  const plates = platesOf(transitions);
  return plates.flatMap(({ name, box }, at) => [
    ...(holds({ x: 0, y: 0, width, height }, box) ? [] : [`${name} leaves the sheet`]),
    ...plates
      .slice(at + 1)
      .filter((other) => overlap(box, other.box))
      .map((other) => `${name} covers ${other.name}`),
    ...states
      .filter(({ compound }) => !compound)
      .filter((state) => overlap(box, state))
      .map(({ path }) => `${name} covers ${path}`),
    ...states
      .filter(({ head }) => overlap(box, head))
      .map(({ path }) => `${name} covers the head of ${path}`),
  ]);
}

function flawsOfInnerLines({ states, transitions }: ChartLayout): string[] {
  const lines = transitions.filter(({ kind }) => kind !== 'arrow');
  return lines.flatMap(({ from, event, label }, at) => {
    const state = states.find(({ path }) => path === from);
    const below = lines.slice(at + 1).filter((other) => other.from === from);
    return [
      ...(state && !holds(state.head, label) ? [`${from} ${event} is not in the head of its state`] : []),
      ...below
        .filter((other) => overlap(label, other.label))
        .map((other) => `${from} ${event} covers ${other.event}`),
      ...(state
        ? []
        : states
            .filter((one) => overlap(one, label))
            .map(({ path }) => `${event} of the title covers ${path}`)),
    ];
  });
}

function holds(outer: Box, inner: Box): boolean {
  return (
    inner.x >= outer.x - NEAR &&
    inner.y >= outer.y - NEAR &&
    inner.x + inner.width <= outer.x + outer.width + NEAR &&
    inner.y + inner.height <= outer.y + outer.height + NEAR
  );
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.x + NEAR < other.x + other.width &&
    other.x + NEAR < one.x + one.width &&
    one.y + NEAR < other.y + other.height &&
    other.y + NEAR < one.y + one.height
  );
}

/** Whether a line, whose parts run along the axes, runs through what is written in a box. */
function crosses(points: Point[], { x, y, width, height }: Box): boolean {
  const written = { x: x + 8, y: y + 4, width: width - 16, height: height - 8 };
  return points.slice(1).some((to, at) => {
    const from = points[at]!;
    const [left, top] = [Math.min(from.x, to.x), Math.min(from.y, to.y)];
    return overlap(written, {
      x: left - NEAR,
      y: top - NEAR,
      width: Math.abs(from.x - to.x) + 2 * NEAR,
      height: Math.abs(from.y - to.y) + 2 * NEAR,
    });
  });
}

/** Whether a point is on the edge of a box. */
export function isOnBorder(box: Box, { x, y }: Point): boolean {
  const inX = x >= box.x - NEAR && x <= box.x + box.width + NEAR;
  const inY = y >= box.y - NEAR && y <= box.y + box.height + NEAR;
  const atSide = near(x, box.x) || near(x, box.x + box.width);
  const atEnd = near(y, box.y) || near(y, box.y + box.height);
  return inX && inY && (atSide || atEnd);
}

function near(one: number, other: number): boolean {
  return Math.abs(one - other) <= NEAR;
}
