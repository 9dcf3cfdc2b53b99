import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ChartLayout } from '../../chart/chart.ts';
import { drawChart } from '../../chart/draw.ts';
import { marksOf } from '../../chart/marks.ts';
import { Icon } from '../parts/icons.tsx';
import type { StepEntry } from '../timeline/steps.ts';
import { MiniMap } from './mini-map.tsx';
import { useAnimatedViewport } from './use-animated-viewport.ts';
import { usePointers } from './use-pointers.ts';
import { centredOn, fitWhole, isLegible, zoomed, type Size, type Viewport } from './viewport.ts';

interface ChartCanvasProps {
  layout: ChartLayout;
  steps: readonly StepEntry[];
  active: string | null;
  label: string;
}

/**
 * The chart: whole where it stays legible, otherwise the part around the active state, with a map of the whole in the
 * corner. Once the user pans or zooms, the view stays put until the user selects `Fit whole chart` or `Follow active state`.
 */
export function ChartCanvas({ layout, steps, active, label }: ChartCanvasProps) {
  const pane = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>();
  const [mode, setMode] = useState<'auto' | 'follow' | 'whole' | 'free'>('auto');
  const { view, animateTo, jumpTo } = useAnimatedViewport();
  const marks = useMemo(
    () => ({
      ...marksOf(
        layout,
        steps.map(({ step }) => step),
      ),
      active,
    }),
    [layout, steps.length, steps.at(-1)?.seq, active],
  );
  const drawing = useMemo(() => ({ __html: drawChart(layout, { marks, theme: 'page' }) }), [layout, marks]);

  useLayoutEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      if (width > 0 && height > 0) setSize({ width, height });
    });
    watch.observe(pane.current!);
    return () => watch.disconnect();
  }, []);

  const follows = mode === 'follow' || (mode === 'auto' && size !== undefined && !isLegible(layout, size));
  useLayoutEffect(() => {
    if (!size || mode === 'free') return;
    animateTo(follows ? centredOn(layout, active, size) : fitWhole(layout, size));
  }, [size?.width, size?.height, mode, follows, active, layout]);

  useLayoutEffect(() => {
    if (view) pane.current!.querySelector('svg')?.setAttribute('viewBox', viewBoxOf(view));
  }, [view, drawing]);

  const move = (to: Viewport) => {
    setMode('free');
    jumpTo(to);
  };
  usePointers(pane, { view, size, move });
  const zoom = (by: number) => view && size && move(zoomed(view, size, by));
  return (
    <div class="chart-canvas">
      <div ref={pane} class="drawing" role="img" aria-label={label} dangerouslySetInnerHTML={drawing} />
      {view && size && <MiniMap layout={layout} view={view} marks={marks} />}
      <div class="zoom" role="group" aria-label="Zoom">
        <button class="quiet square" aria-label="Zoom in" title="Zoom in" onClick={() => zoom(1.25)}>
          <Icon name="plus" />
        </button>
        <button class="quiet square" aria-label="Zoom out" title="Zoom out" onClick={() => zoom(0.8)}>
          <Icon name="minus" />
        </button>
        <button
          class="quiet square"
          aria-label={follows ? 'Fit whole chart' : 'Follow active state'}
          title={follows ? 'Fit whole chart' : 'Follow active state'}
          aria-pressed={!follows}
          onClick={() => setMode(follows ? 'whole' : 'follow')}
        >
          <Icon name="fit" />
        </button>
      </div>
    </div>
  );
}

function viewBoxOf({ x, y, width, height }: Viewport): string {
  return [x, y, width, height].map((part) => part.toFixed(1)).join(' ');
}
