import type { Box, ChartHop, ChartLayout, Point } from './chart.ts';
import { roundedLine, tipAt, attribute, escapeXml } from './svg.ts';
import { routeAround } from './route-around.ts';
import {
  LABEL_PAD_X,
  LABEL_PAD_Y,
  LINE_HEIGHT,
  LINE_PX,
  MARGIN,
  titleSize,
  type Size,
  monoWidth,
} from './sizes.ts';

/** Pixels between the places along a line that are tried for its label. */
const LABEL_STEP = 6;

/** Routes by layout and hop: a chart is drawn again at each step. */
const routes = new WeakMap<object, Map<string, Point[]>>();

/**
 * Returns the arrow of a step between two states whose transition is listed in a box, with its event. It goes around
 * states and labels.
 */
export function drawHop(hop: ChartHop, layout: ChartLayout): string {
  const { from, to, event } = hop;
  const points = hopRoute(hop, layout);
  if (points.length < 2) return '';
  const size = { width: Math.ceil(monoWidth(event, LINE_PX)) + 2 * LABEL_PAD_X, height: LINE_HEIGHT };
  const { x, y, width, height } = labelPlace(points, size, [
    ...layout.states.filter(isLeaf),
    ...writtenBoxes(layout),
  ]);
  return (
    `<g class="arrow taken hop"${attribute('data-hop', `${from} ${event} ${to}`)}>` +
    `<path class="line" d="${roundedLine(points)}"/><path class="tip" d="${tipAt(points)}"/>` +
    `<rect class="plate" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>` +
    `<g class="way taken"><text x="${x + LABEL_PAD_X}" y="${y + 11}">${escapeXml(event)}</text></g></g>`
  );
}

/** Returns the points of the arrow of a step, which cross no state and no text; none for a state not in the chart. */
export function hopRoute({ from, to }: Pick<ChartHop, 'from' | 'to'>, layout: ChartLayout): Point[] {
  const ofLayout = routes.get(layout) ?? new Map<string, Point[]>();
  routes.set(layout, ofLayout);
  const key = JSON.stringify([from, to]);
  const known = ofLayout.get(key);
  if (known) return known;
  const [source, target] = [from, to].map((path) => layout.states.find((state) => state.path === path));
  const others = layout.states.filter((state) => isLeaf(state) && state !== source && state !== target);
  const points =
    source && target
      ? (routeAround(source, target, [...others, ...writtenBoxes(layout)]) ??
        routeAround(source, target, others) ??
        [])
      : [];
  ofLayout.set(key, points);
  return points;
}

function isLeaf({ compound }: { compound: boolean }): boolean {
  return !compound;
}

/** Returns the boxes of what is written outside the states without children: title, heads and labels. */
function writtenBoxes({ machineId, states, transitions }: ChartLayout): Box[] {
  const anywhere = transitions.filter(({ from, kind }) => from === '' && kind !== 'arrow');
  const title = titleSize(
    machineId,
    anywhere.flatMap((transition) => transition.label.lines),
  );
  return [
    { x: MARGIN, y: MARGIN, ...title },
    ...states.filter(({ compound }) => compound).map(({ head }) => head),
    ...transitions
      .filter(({ kind }) => kind === 'arrow')
      .map(({ label: { x, y, width, height } }) => ({
        x: x - LABEL_PAD_X,
        y: y - LABEL_PAD_Y,
        width: width + 2 * LABEL_PAD_X,
        height: height + 2 * LABEL_PAD_Y,
      })),
  ];
}

/** Returns the first place along a line, from its beginning, where a label covers nothing. */
function labelPlace(points: readonly Point[], size: Size, obstacles: readonly Box[]): Box {
  const places = points.slice(1).flatMap((end, at) => {
    const start = points[at]!;
    const length = Math.abs(end.x - start.x) + Math.abs(end.y - start.y);
    return Array.from({ length: Math.max(1, Math.floor(length / LABEL_STEP)) }, (_, index) => {
      const part = ((index + 1) * LABEL_STEP) / (length || 1);
      return centredAt(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part, size);
    });
  });
  return places.find((place) => obstacles.every((box) => !overlap(box, place))) ?? places[0]!;
}

function centredAt(x: number, y: number, { width, height }: Size): Box {
  return { x: Math.round(x - width / 2), y: Math.round(y - height / 2), width, height };
}

/** Whether two boxes have an area in common. */
export function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
