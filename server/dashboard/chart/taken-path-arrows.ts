import type { Box, Point } from './chart.ts';
import type { Size } from './sizes.ts';
import type { PathArrow } from './taken-path.ts';
import { arrowLines, plateSize, type LabelLine } from './taken-path-rows.ts';

/** An arrow of a path, with its label on its line. */
export interface PlacedArrow {
  from: string;
  to: string;
  /** The number of steps before the one that took it first. */
  firstStep: number;
  points: Point[];
  lines: LabelLine[];
  plate: Box;
}

/** Between the lines of two arrows in the channel above the columns. */
const CHANNEL = 8;
const LANE_GAP = 10;
/** Between the label of an arrow and the state that it leads to, for the arrowhead. */
const TIP_ROOM = 13;
/** Between the label of an arrow and the exits of that state. */
const EXIT_ROOM = 3;

interface Placed {
  rows: readonly { box: Box; exits: readonly { points: readonly Point[]; chip: Box }[] }[];
  /** The rows of each column. */
  columns: readonly number[][];
  columnOf(row: number): number;
  /** Left edges of the columns' lanes. */
  lanes: readonly number[];
  /** Where the columns begin and end. */
  top: number;
  bottom: number;
  /** The arrows that lead elsewhere than to the next state. */
  loops: readonly PathArrow[];
  /** Rows by the path of their state. */
  places: ReadonlyMap<string, number>;
}

/** Returns the height of the channel above the columns, for the arrows between lanes of different columns. */
export function topChannelHeight(loops: readonly PathArrow[], columnOf: (state: string) => number): number {
  return CHANNEL * loops.filter(({ from, to }) => columnOf(from) !== columnOf(to)).length;
}

export function placeArrow(arrow: PathArrow, placed: Placed): PlacedArrow {
  const { from, to, events } = arrow;
  const inLane = placed.loops.includes(arrow);
  const lines = arrowLines(arrow, { inLane });
  const firstStep = Math.min(...events.map((event) => event.firstStep));
  const geometry = inLane ? loopOf(arrow, placed) : onwards(arrow, placed, plateSize(lines));
  return { from, to, firstStep, lines, ...geometry };
}

/** The arrow to the next state: downwards, or around to the top of the next column. */
function onwards(
  { from, to }: PathArrow,
  { rows, places, columnOf, lanes, bottom, top }: Placed,
  plate: Size,
) {
  const source = rows[places.get(from)!]!.box;
  const { box: target, exits } = rows[places.get(to)!]!;
  const [column, nextColumn] = [columnOf(places.get(from)!), columnOf(places.get(to)!)];
  const [start, end] = [
    { x: source.x + source.width / 2, y: source.y + source.height },
    { x: target.x + target.width / 2, y: target.y },
  ];
  const x = Math.max(target.x, end.x - plate.width / 2);
  // One that is wider than the box stands above its exits, which may be higher than the box.
  const isBeside = exits.some(({ points: [line] }) => line!.x <= x + plate.width);
  const below = isBeside ? Math.min(end.y - TIP_ROOM, exits[0]!.chip.y - EXIT_ROOM) : end.y - TIP_ROOM;
  const label = { x, y: below - plate.height, ...plate };
  if (column === nextColumn) return { points: [start, end], plate: label };
  const gutter = lanes[nextColumn]! - 15;
  const under = bottom + 8;
  const over = top + 2;
  const points = [
    start,
    { x: start.x, y: under },
    { x: gutter, y: under },
    { x: gutter, y: over },
    { x: end.x, y: over },
    end,
  ];
  return { points, plate: label };
}

/** An arrow to an earlier or a later state: through a lane at the left of its column. */
function loopOf(arrow: PathArrow, placed: Placed) {
  const { rows, places, columnOf, loops, top } = placed;
  const [fromRow, toRow] = [places.get(arrow.from)!, places.get(arrow.to)!];
  const [source, target] = [rows[fromRow]!.box, rows[toRow]!.box];
  const [column, toColumn] = [columnOf(fromRow), columnOf(toRow)];
  const at = loops.indexOf(arrow);
  // Arrows that leave or enter the same side of a box keep apart.
  const aside = Math.min(12, 4 + 4 * (at % 3));
  const start = { x: source.x, y: source.y + source.height / 2 + aside };
  const end = { x: target.x, y: target.y + target.height / 2 - aside };
  const laneX = laneOf(arrow, column, placed);
  const size = lanePlate(arrow);
  // Between the rows that the arrow passes; the last row of a column has none below.
  const isBelow = toRow > fromRow && column === toColumn;
  const y = isBelow ? source.y + source.height + 6 : Math.max(top, source.y - size.height - 6);
  const plate = { x: laneX - size.width / 2, y, ...size };
  if (column === toColumn)
    return { points: [start, { x: laneX, y: start.y }, { x: laneX, y: end.y }, end], plate };
  const crossing = loops.filter(({ from, to }) => columnOf(places.get(from)!) !== columnOf(places.get(to)!));
  const over = top - CHANNEL * (crossing.indexOf(arrow) + 0.5);
  const backX = laneOf(arrow, toColumn, placed);
  const points = [
    start,
    { x: laneX, y: start.y },
    { x: laneX, y: over },
    { x: backX, y: over },
    { x: backX, y: end.y },
    end,
  ];
  return { points, plate };
}

/** Returns the middle of the lane of an arrow in a column. */
function laneOf(arrow: PathArrow, column: number, { loops, places, columnOf, lanes }: Placed): number {
  let x = lanes[column]!;
  for (const loop of loops) {
    const isHere = [loop.from, loop.to].some((state) => columnOf(places.get(state)!) === column);
    if (!isHere) continue;
    const { width } = lanePlate(loop);
    if (loop === arrow) return x + width / 2;
    x += width + LANE_GAP;
  }
  return x;
}

function lanePlate(arrow: PathArrow): Size {
  return plateSize(arrowLines(arrow, { inLane: true }));
}

/** Returns the width of the lane of an arrow. */
export function laneWidth(arrow: PathArrow): number {
  return lanePlate(arrow).width + LANE_GAP;
}
