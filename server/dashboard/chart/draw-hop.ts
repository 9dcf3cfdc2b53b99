import type { Box, ChartHop, ChartState, Point } from './chart.ts';
import { roundedLine, tipAt } from './draw-line.ts';
import { LABEL_PAD_X, LINE_HEIGHT, LINE_PX } from './sizes.ts';
import { monoWidth } from './text-size.ts';
import { attribute, escapeXml } from './xml.ts';

/** Pixels from the beginning of an arrow to its label. */
const LABEL_AT = 26;

/** Returns the arrow of a step between two states whose transition is listed in a box, with its event. */
export function drawHop({ from, to, event }: ChartHop, states: readonly ChartState[]): string {
  const source = states.find(({ path }) => path === from);
  const target = states.find(({ path }) => path === to);
  if (!source || !target) return '';
  const [start, end] = [edgeTowards(source, centreOf(target)), edgeTowards(target, centreOf(source))];
  const points = [start, end];
  // Near its beginning, where no other state is yet.
  const part = Math.min(0.5, LABEL_AT / (Math.hypot(end.x - start.x, end.y - start.y) || 1));
  const middle = { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part };
  const width = Math.ceil(monoWidth(event, LINE_PX)) + 2 * LABEL_PAD_X;
  const [left, top] = [Math.round(middle.x - width / 2), Math.round(middle.y - LINE_HEIGHT / 2)];
  return (
    `<g class="arrow taken hop"${attribute('data-hop', `${from} ${event} ${to}`)}>` +
    `<path class="line" d="${roundedLine(points)}"/><path class="tip" d="${tipAt(points)}"/>` +
    `<rect class="plate" x="${left}" y="${top}" width="${width}" height="${LINE_HEIGHT}" rx="6"/>` +
    `<g class="way taken"><text x="${left + LABEL_PAD_X}" y="${top + 11}">${escapeXml(event)}</text></g></g>`
  );
}

function centreOf({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

/** Returns where the line from the centre of a box to a point leaves the box. */
function edgeTowards(box: Box, point: Point): Point {
  const centre = centreOf(box);
  const [dx, dy] = [point.x - centre.x, point.y - centre.y];
  const part = Math.min(
    1,
    dx === 0 ? 1 : box.width / 2 / Math.abs(dx),
    dy === 0 ? 1 : box.height / 2 / Math.abs(dy),
  );
  return { x: centre.x + dx * part, y: centre.y + dy * part };
}
