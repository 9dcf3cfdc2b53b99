import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Box, ChartState } from '../../chart/chart.ts';
import { LINE_PX } from '../../chart/sizes.ts';

export interface Size {
  width: number;
  height: number;
}

/** The size of a drawing and the places of its states. */
export type Drawn = Size & { states: readonly DrawnState[] };
type DrawnState = Pick<ChartState, 'path' | 'x' | 'y' | 'width' | 'height' | 'compound' | 'initial'>;

/** The visible part of a chart, in the chart's own pixels. */
export type Viewport = Box;

const MARGIN = 8;
/** At a smaller scale the smallest text of a chart has less than ten pixels, and is not legible. */
const LEGIBLE_SCALE = 10 / LINE_PX;
/** Seen whole, a chart may be slightly smaller: to cut one of its columns is worse than letters of nine and a half pixels. */
const WHOLE_SCALE_MIN = 9.4 / LINE_PX;
const MAX_SCALE = 2.5;
// A small chart in a large pane is not enlarged further.
const MAX_FIT_SCALE = 1.15;

/** Returns the part of a pane that a chart may fill. */
export function fitArea({ width, height }: Size): Size {
  return { width: width - MARGIN, height: height - MARGIN };
}

/** Returns the viewport of the whole chart, centred in the pane. */
export function fitWhole(layout: Size, pane: Size): Viewport {
  // A drawing has margins of its own.
  const scale = Math.min(
    MAX_FIT_SCALE,
    fitArea(pane).width / layout.width,
    fitArea(pane).height / layout.height,
  );
  return around({ x: layout.width / 2, y: layout.height / 2 }, scale, pane);
}

export function scaleOf(viewport: Viewport, pane: Size): number {
  return pane.width / viewport.width;
}

/** Whether the text is legible when the whole chart fits the pane. */
export function isLegible(layout: Size, pane: Size): boolean {
  return scaleOf(fitWhole(layout, pane), pane) >= WHOLE_SCALE_MIN;
}

function around(centre: { x: number; y: number }, scale: number, pane: Size): Viewport {
  const width = pane.width / scale;
  const height = pane.height / scale;
  return { x: centre.x - width / 2, y: centre.y - height / 2, width, height };
}

/**
 * Returns the viewport centred on a state, kept within the chart, with as much of the chart as is legible. Without the
 * state: on the initial state.
 */
export function centredOn(layout: Drawn, path: string | null, pane: Size): Viewport {
  const state =
    layout.states.find((one) => one.path === path) ??
    layout.states.find(({ initial, path: own }) => initial && own !== '');
  const whole = fitWhole(layout, pane);
  if (!state) return whole;
  const scale = Math.min(1, Math.max(LEGIBLE_SCALE, scaleOf(whole, pane)));
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

interface ViewportControls {
  view: Viewport | undefined;
  size: Size | undefined;
  move: (to: Viewport) => void;
}

/** Pans the chart by dragging and by the wheel. The wheel with Ctrl, or a pinch on a touchpad, zooms. */
export function usePointers(pane: { current: HTMLElement | null }, controls: ViewportControls): void {
  const now = useRef(controls);
  now.current = controls;
  // Before the next event: the wheel moves the chart and not the page.
  useLayoutEffect(() => {
    const element = pane.current!;
    const wheel = (event: WheelEvent) => {
      const { view, size, move } = now.current;
      if (!view || !size) return;
      event.preventDefault();
      if (!event.ctrlKey) return move(panned(view, size, -event.deltaX, -event.deltaY));
      const { left, top } = element.getBoundingClientRect();
      move(zoomed(view, size, Math.exp(-event.deltaY / 200), event.clientX - left, event.clientY - top));
    };
    const down = (event: PointerEvent) => {
      if (event.button === 0) element.setPointerCapture(event.pointerId);
    };
    const drag = (event: PointerEvent) => {
      const { view, size, move } = now.current;
      if (!view || !size || !element.hasPointerCapture(event.pointerId)) return;
      if (event.movementX === 0 && event.movementY === 0) return;
      move(panned(view, size, event.movementX, event.movementY));
    };
    element.addEventListener('wheel', wheel, { passive: false });
    element.addEventListener('pointerdown', down);
    element.addEventListener('pointermove', drag);
    return () => {
      element.removeEventListener('wheel', wheel);
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('pointermove', drag);
    };
  }, []);
}
