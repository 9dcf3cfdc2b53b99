import type { ChartMarks } from '../../chart/chart.ts';
import type { Drawn, Viewport } from './viewport.ts';

interface MiniMapProps {
  layout: Drawn;
  view: Viewport;
  marks: Pick<ChartMarks, 'active' | 'visited'>;
}

/** A map of all states with the visible part marked; shown only when part of the chart is out of view. */
export function MiniMap({ layout, view, marks }: MiniMapProps) {
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
