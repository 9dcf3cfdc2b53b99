import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pathChart, showsAllStates, wholeChart, type ChartSteps } from './shown-chart.ts';
import {
  usePointers,
  centredOn,
  fitWhole,
  isLegible,
  zoomed,
  type Size,
  type Viewport,
  interpolate,
  type Drawn,
} from './viewport.ts';
import { pageClock } from '../time.ts';
import { Icon } from '../parts/icons.tsx';
import type { ChartMarks } from '../../chart/chart.ts';

const ANIMATION_MS = 260;

/** A viewport that moves with an animation, unless the user prefers reduced motion. */
function useAnimatedViewport() {
  const [view, setView] = useState<Viewport>();
  const current = useRef<Viewport | undefined>(undefined);
  const frame = useRef(0);

  const set = (to: Viewport) => {
    current.current = to;
    setView(to);
  };
  const jumpTo = (to: Viewport) => {
    cancelAnimationFrame(frame.current);
    set(to);
  };
  const animateTo = (to: Viewport) => {
    const from = current.current;
    if (!from || matchMedia('(prefers-reduced-motion: reduce)').matches) return jumpTo(to);
    cancelAnimationFrame(frame.current);
    const startMs = pageClock.nowMs();
    const move = () => {
      const part = Math.min(1, (pageClock.nowMs() - startMs) / ANIMATION_MS);
      set(interpolate(from, to, 1 - (1 - part) ** 3));
      if (part < 1) frame.current = requestAnimationFrame(move);
    };
    frame.current = requestAnimationFrame(move);
  };
  return { view, animateTo, jumpTo };
}

interface ChartCanvasProps extends ChartSteps {
  label: string;
  /** Whether the machine is described; without that, only its steps are known. */
  isDescribed: boolean;
}

/**
 * The chart: the path taken or all states. It is shown whole where it stays legible, otherwise the part around the
 * active state, with a map of the whole in the corner. Once the user pans or zooms, the view stays put until the user
 * selects `Fit whole chart` or `Follow active state`.
 */
export function ChartCanvas({ label, isDescribed, ...shown }: ChartCanvasProps) {
  const { layout, allSteps, steps, active, struck } = shown;
  const pane = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>();
  const [mode, setMode] = useState<'auto' | 'follow' | 'whole' | 'free'>('auto');
  const { view, animateTo, jumpTo } = useAnimatedViewport();
  const hasPath = allSteps.length > 0;
  const isWhole = isDescribed && (showsAllStates.value || !hasPath);
  const paneOfPath = isWhole ? undefined : size;
  const chart = useMemo(
    () => (isWhole ? wholeChart(shown) : paneOfPath && pathChart(shown, paneOfPath)),
    [
      isWhole,
      layout,
      allSteps.length,
      allSteps.at(-1)?.seq,
      steps.length,
      active,
      [...struck].join(' '),
      paneOfPath?.width,
      paneOfPath?.height,
    ],
  );
  const drawing = useMemo(() => ({ __html: chart?.svg ?? '' }), [chart]);

  useLayoutEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      if (width > 0 && height > 0) setSize({ width, height });
    });
    watch.observe(pane.current!);
    return () => watch.disconnect();
  }, []);

  const follows =
    mode === 'follow' ||
    (mode === 'auto' && size !== undefined && chart !== undefined && !isLegible(chart, size));
  useLayoutEffect(() => {
    if (!size || !chart || mode === 'free') return;
    animateTo(follows ? centredOn(chart, active, size) : fitWhole(chart, size));
  }, [size?.width, size?.height, mode, follows, active, chart?.width, chart?.height, isWhole]);

  useLayoutEffect(() => {
    if (view) pane.current!.querySelector('svg')?.setAttribute('viewBox', viewBoxOf(view));
  }, [view, drawing]);

  const move = (to: Viewport) => {
    setMode('free');
    jumpTo(to);
  };
  usePointers(pane, { view, size, move });
  const toggle = () => {
    showsAllStates.value = !showsAllStates.peek();
    setMode('auto');
  };
  return (
    <div class="chart-canvas">
      <div class="chart-area">
        <div ref={pane} class="drawing" role="img" aria-label={label} dangerouslySetInnerHTML={drawing} />
        {view && size && chart && <MiniMap layout={chart} view={view} marks={chart.marks} />}
      </div>
      <ChartControls
        zoom={(by) => view && size && move(zoomed(view, size, by))}
        follows={follows}
        fit={() => setMode(follows ? 'whole' : 'follow')}
        allStates={hasPath && isDescribed ? { shown: isWhole, toggle } : undefined}
        note={isDescribed ? undefined : 'Only the steps are known: this machine is not described.'}
      />
    </div>
  );
}

function viewBoxOf({ x, y, width, height }: Viewport): string {
  return [x, y, width, height].map((part) => part.toFixed(1)).join(' ');
}

interface ChartControlsProps {
  zoom: (by: number) => void;
  /** Whether the view follows the active state. */
  follows: boolean;
  fit: () => void;
  /** Absent where there is no choice. */
  allStates: { shown: boolean; toggle: () => void } | undefined;
  note: string | undefined;
}

/** The buttons below a chart: which states it shows, and how much of it. */
function ChartControls({ zoom, follows, fit, allStates, note }: ChartControlsProps) {
  const fitLabel = follows ? 'Fit whole chart' : 'Follow active state';
  return (
    <div class="chart-controls">
      {allStates && (
        <button class="quiet" aria-pressed={allStates.shown} onClick={allStates.toggle}>
          Show all states
        </button>
      )}
      {note && <p class="hint-line">{note}</p>}
      <div class="zoom" role="group" aria-label="Zoom">
        <button class="quiet square" aria-label="Zoom in" title="Zoom in" onClick={() => zoom(1.25)}>
          <Icon name="plus" />
        </button>
        <button class="quiet square" aria-label="Zoom out" title="Zoom out" onClick={() => zoom(0.8)}>
          <Icon name="minus" />
        </button>
        <button
          class="quiet square"
          aria-label={fitLabel}
          title={fitLabel}
          aria-pressed={!follows}
          onClick={fit}
        >
          <Icon name="fit" />
        </button>
      </div>
    </div>
  );
}

interface MiniMapProps {
  layout: Drawn;
  view: Viewport;
  marks: Pick<ChartMarks, 'active' | 'visited'>;
}

/** A map of all states with the visible part marked; shown only when part of the chart is out of view. */
function MiniMap({ layout, view, marks }: MiniMapProps) {
  const { width, height, states } = layout;
  const all = view.x <= 0 && view.y <= 0 && view.x + view.width >= width && view.y + view.height >= height;
  if (all) return null;
  return (
    <svg
      class="mini-map"
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      preserveAspectRatio="xMaxYMax meet"
    >
      <rect class="map-ground" width={width} height={height} />
      {states
        .filter(({ path }) => path !== '')
        .map(({ path, compound, x, y, width: w, height: h }) => (
          <rect
            key={path}
            x={x}
            y={y}
            width={w}
            height={h}
            rx={compound ? 10 : 8}
            class={
              compound
                ? 'map-compound'
                : path === marks.active
                  ? 'map-active'
                  : marks.visited.has(path)
                    ? 'map-visited'
                    : 'map-state'
            }
          />
        ))}
      <rect class="map-view" x={view.x} y={view.y} width={view.width} height={view.height} />
    </svg>
  );
}
