import type { Box, ChartLayout } from '../../chart/chart.ts';

export interface Size {
  width: number;
  height: number;
}

/** The visible part of a chart, in the chart's own pixels. */
export type Viewport = Box;

const MARGIN = 16;
// At a smaller scale the text of a chart is not legible.
const LEGIBLE_SCALE = 0.62;
const MAX_SCALE = 2.5;
// A small chart in a large pane is not enlarged further.
const MAX_FIT_SCALE = 1.15;

/** Returns the viewport of the whole chart, centred in the pane. */
export function fitWhole(layout: Size, pane: Size): Viewport {
  const scale = Math.min(
    MAX_FIT_SCALE,
    pane.width / (layout.width + 2 * MARGIN),
    pane.height / (layout.height + 2 * MARGIN),
  );
  return around({ x: layout.width / 2, y: layout.height / 2 }, scale, pane);
}

export function scaleOf(viewport: Viewport, pane: Size): number {
  return pane.width / viewport.width;
}

/** Whether the text is legible when the whole chart fits the pane. */
export function isLegible(layout: Size, pane: Size): boolean {
  return scaleOf(fitWhole(layout, pane), pane) >= LEGIBLE_SCALE;
}

function around(centre: { x: number; y: number }, scale: number, pane: Size): Viewport {
  const width = pane.width / scale;
  const height = pane.height / scale;
  return { x: centre.x - width / 2, y: centre.y - height / 2, width, height };
}

/** Returns the viewport centred on a state at `scale`, kept within the chart. Without the state: on the initial state. */
export function centredOn(layout: ChartLayout, path: string | null, pane: Size, scale = 0.76): Viewport {
  const state =
    layout.states.find((one) => one.path === path) ??
    layout.states.find(({ initial, path: own }) => initial && own !== '');
  if (!state) return fitWhole(layout, pane);
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

/** Returns the viewport scaled by a factor. The point of the chart at (`x`, `y`) of the pane keeps its position. */
export function zoomed(
  view: Viewport,
  pane: Size,
  by: number,
  x = pane.width / 2,
  y = pane.height / 2,
): Viewport {
  const before = scaleOf(view, pane);
  const after = Math.min(MAX_SCALE, Math.max(0.1, before * by));
  const width = pane.width / after;
  const height = pane.height / after;
  return {
    x: view.x + x / before - x / after,
    y: view.y + y / before - y / after,
    width,
    height,
  };
}

/** Returns the viewport moved by pixels of the pane. */
export function panned(view: Viewport, pane: Size, dx: number, dy: number): Viewport {
  const scale = scaleOf(view, pane);
  return { ...view, x: view.x - dx / scale, y: view.y - dy / scale };
}

/** Returns a viewport between two others; `part` is from 0 to 1. */
export function interpolate(from: Viewport, to: Viewport, part: number): Viewport {
  const mix = (a: number, b: number) => a + (b - a) * part;
  return {
    x: mix(from.x, to.x),
    y: mix(from.y, to.y),
    width: mix(from.width, to.width),
    height: mix(from.height, to.height),
  };
}
