import type { Box, ChartLayout } from '../../chart/chart.ts';

export interface Size {
  width: number;
  height: number;
}

/** The part of a chart that is seen, in the chart's own pixels. */
export type Viewport = Box;

const MARGIN = 16;
// Below this the words of a chart cannot be read.
const LEGIBLE = 0.62;
const NEAREST = 2.5;
// A small machine in a large pane is not blown up.
const LARGEST_FIT = 1.15;

/** The whole chart, in the middle of the pane. */
export function fitting(layout: Size, pane: Size): Viewport {
  const scale = Math.min(
    LARGEST_FIT,
    pane.width / (layout.width + 2 * MARGIN),
    pane.height / (layout.height + 2 * MARGIN),
  );
  return around({ x: layout.width / 2, y: layout.height / 2 }, scale, pane);
}

export function scaleOf(viewport: Viewport, pane: Size): number {
  return pane.width / viewport.width;
}

/** Whether the whole chart fits the pane in letters that can be read. */
export function isLegible(layout: Size, pane: Size): boolean {
  return scaleOf(fitting(layout, pane), pane) >= LEGIBLE;
}

function around(centre: { x: number; y: number }, scale: number, pane: Size): Viewport {
  const width = pane.width / scale;
  const height = pane.height / scale;
  return { x: centre.x - width / 2, y: centre.y - height / 2, width, height };
}

/** The state and what is around it, as large as can be read, without leaving the chart where it is larger. */
export function following(layout: ChartLayout, path: string | null, pane: Size, scale = 0.76): Viewport {
  const state =
    layout.states.find((one) => one.path === path) ??
    layout.states.find(({ initial, path: own }) => initial && own !== '');
  if (!state) return fitting(layout, pane);
  const view = around({ x: state.x + state.width / 2, y: state.y + state.height / 2 }, scale, pane);
  return {
    ...view,
    x: clamp(view.x, view.width, layout.width),
    y: clamp(view.y, view.height, layout.height),
  };
}

function clamp(at: number, seen: number, whole: number): number {
  if (seen >= whole + 2 * MARGIN) return (whole - seen) / 2;
  return Math.min(Math.max(at, -MARGIN), whole + MARGIN - seen);
}

/** Nearer (`by` over 1) or farther, with the chart's point under (`x`, `y`) of the pane staying there. */
export function zoomed(
  view: Viewport,
  pane: Size,
  by: number,
  x = pane.width / 2,
  y = pane.height / 2,
): Viewport {
  const before = scaleOf(view, pane);
  const after = Math.min(NEAREST, Math.max(0.1, before * by));
  const width = pane.width / after;
  const height = pane.height / after;
  return {
    x: view.x + x / before - x / after,
    y: view.y + y / before - y / after,
    width,
    height,
  };
}

/** Moved by pixels of the pane. */
export function panned(view: Viewport, pane: Size, dx: number, dy: number): Viewport {
  const scale = scaleOf(view, pane);
  return { ...view, x: view.x - dx / scale, y: view.y - dy / scale };
}

/** Part of the way from one to the other, for a movement that can be followed. */
export function between(from: Viewport, to: Viewport, part: number): Viewport {
  const mix = (a: number, b: number) => a + (b - a) * part;
  return {
    x: mix(from.x, to.x),
    y: mix(from.y, to.y),
    width: mix(from.width, to.width),
    height: mix(from.height, to.height),
  };
}
