import type { Box, Point } from './chart.ts';
import {
  placeAnywhere,
  type PlacedAnywhere,
  ARROW_LENGTH,
  arrowLines,
  boxSizeOf,
  BUS_GAP,
  CHIP_HEIGHT,
  chipWidth,
  EXIT_HEIGHT,
  exitLines,
  plateSize,
  textWidth,
  type ExitLine,
} from './taken-path-rows.ts';
import { laneWidth, placeArrow, topChannelHeight, type PlacedArrow } from './taken-path-arrows.ts';
import type { Size } from './sizes.ts';
import type { PathState, TakenPath } from './taken-path.ts';

/** The geometry of a path, in pixels. */
export interface PathLayout extends Size {
  rows: PlacedRow[];
  arrows: PlacedArrow[];
  anywhere: PlacedAnywhere[];
  /** The centre of the initial marker and its arrow; absent without a state. */
  start: { x: number; y: number; points: Point[] } | null;
}

/** A state of the path with its exits. */
export interface PlacedRow {
  state: PathState;
  box: Box;
  exits: PlacedExit[];
}

export interface PlacedExit extends ExitLine {
  /** From the line that the exits of a state share to the neighbour's box. */
  points: Point[];
  textX: number;
  /** The neighbour's box; its width is 0 without a neighbour. */
  chip: Box;
}

const MARGIN = 12;
/** Between two columns, where the arrow to the next column goes up. */
const GUTTER = 30;
/** Above a column, where that arrow enters it, and below a column, where it leaves it. */
const COLUMN_TOP = 4;
const BOTTOM = 12;
/** Above and below the label of an arrow. */
const ARROW_ROOM = 8;
const START_ROOM = 28;
const COLUMNS_MAX = 5;
/** Fewer columns are better once the text is this large. */
const SCALE_MAX = 1.15;
/** Above the transitions that apply in any state. */
const ANYWHERE_ROOM = 14;

interface Row {
  state: PathState;
  box: Size;
  lines: ExitLine[];
  /** The arrow from the state before; absent when no step led from there. */
  label: Size | null;
}

interface Arrangement {
  rows: readonly Row[];
  /** The rows of each column. */
  columns: readonly number[][];
  paneWidth: number;
}

/** At a smaller scale the exits are drawn without their events, which makes room. */
const SCALE_MIN = 0.92;

/**
 * Lays out a path downwards, in as many columns as make it largest in the pane. Arrows to an earlier or later state go
 * through lanes at the left of their column.
 */
export function layOutPath(path: TakenPath, pane: Size): PathLayout {
  const full = bestFor(path, rowsOf(path, true), pane);
  if (scaleIn(full, pane) >= SCALE_MIN) return full;
  const short = bestFor(path, rowsOf(path, false), pane);
  return scaleIn(short, pane) > scaleIn(full, pane) ? short : full;
}

function bestFor(path: TakenPath, rows: readonly Row[], pane: Size): PathLayout {
  const heights = rows.map(heightWithArrow);
  const lowest = Array.from({ length: Math.max(1, Math.min(COLUMNS_MAX, rows.length)) }, (_, at) =>
    splitIntoColumns(heights, at + 1),
  );
  // The lowest two columns may be wider than others.
  const all = rows.map((_, at) => at);
  const ofTwo = all.slice(1).map((at) => [all.slice(0, at), all.slice(at)]);
  const made = [...lowest, ...ofTwo].map((columns) =>
    placeRows(path, { rows, columns, paneWidth: pane.width }),
  );
  // The first of equals, which has the fewest columns.
  return made.reduce((best, other) => (scaleIn(other, pane) > scaleIn(best, pane) ? other : best));
}

function scaleIn({ width, height }: Size, pane: Size): number {
  return Math.min(SCALE_MAX, pane.width / width, pane.height / height);
}

function rowsOf({ states, arrows }: TakenPath, withEvents: boolean): Row[] {
  return states.map((state, at) => {
    const before = states[at - 1];
    const arrow = before && arrows.find(({ from, to }) => from === before.path && to === state.path);
    const label = arrow ? plateSize(arrowLines(arrow, { inLane: false })) : null;
    return { state, box: boxSizeOf(state), lines: exitLines(state, withEvents), label };
  });
}

function rowHeight({ box, lines }: Row): number {
  return Math.max(box.height, lines.length * EXIT_HEIGHT);
}

function heightWithArrow(row: Row): number {
  return arrowHeight(row) + rowHeight(row);
}

function arrowHeight({ label }: Row): number {
  return label === null ? 2 * ARROW_ROOM : label.height + 2 * ARROW_ROOM;
}

function placeRows(path: TakenPath, { rows, columns, paneWidth }: Arrangement): PathLayout {
  const columnOf = (at: number) => columns.findIndex((column) => column.includes(at));
  const places = new Map(path.states.map(({ path: own }, at) => [own, at]));
  const loops = path.arrows.filter(({ from, to }) => places.get(to) !== places.get(from)! + 1);
  const top = MARGIN + topChannelHeight(loops, (state) => columnOf(places.get(state)!));
  const placed: PlacedRow[] = [];
  const lanes: number[] = [];
  let x = MARGIN;
  let bottom = top;
  for (const [column, members] of columns.entries()) {
    const inLane = loops.filter(
      ({ from, to }) => columnOf(places.get(from)!) === column || columnOf(places.get(to)!) === column,
    );
    const lanesWidth = inLane.reduce((sum, loop) => sum + laneWidth(loop), 0);
    lanes.push(x);
    const made = placeColumn(
      members.map((at) => rows[at]!),
      { x: x + lanesWidth, y: top, isFirst: column === 0 },
    );
    placed.push(...made.rows);
    bottom = Math.max(bottom, made.bottom);
    x = made.right + GUTTER;
  }
  const right = x - GUTTER;
  const anywhere = placeAnywhere(path.anywhere, {
    x: MARGIN,
    y: bottom + (columns.length > 1 ? BOTTOM : 0) + ANYWHERE_ROOM,
    width: Math.max(right - MARGIN, paneWidth - 2 * MARGIN),
  });
  const context = { rows: placed, columns, columnOf, lanes, top, bottom, loops, places };
  return {
    width: Math.max(right, anywhere.right) + MARGIN,
    height: anywhere.bottom + MARGIN,
    rows: placed,
    arrows: path.arrows.map((arrow) => placeArrow(arrow, context)),
    anywhere: anywhere.placed,
    start: placed[0] ? startAbove(placed[0].box) : null,
  };
}

function startAbove({ x, y, width }: Box): PathLayout['start'] {
  const middle = x + width / 2;
  const dot = { x: middle, y: y - START_ROOM + 8 };
  return { ...dot, points: [dot, { x: middle, y }] };
}

function placeColumn(rows: readonly Row[], { x, y: top, isFirst }: Point & { isFirst: boolean }) {
  const boxWidth = Math.max(...rows.map(({ box }) => box.width));
  const exitsX = x + boxWidth + BUS_GAP;
  const toNeighbours = rows.flatMap(({ lines }) => lines.filter(({ to }) => to !== null));
  const texts = Math.max(0, ...toNeighbours.map(({ text }) => textWidth(text)));
  const chipX = exitsX + 8 + texts + ARROW_LENGTH;
  let [y, right] = [top, x + boxWidth];
  const placed = rows.map((row, at): PlacedRow => {
    y += at > 0 ? arrowHeight(row) : isFirst ? START_ROOM : arrowHeight(row) + COLUMN_TOP;
    const height = rowHeight(row);
    const box = {
      x: x + (boxWidth - row.box.width) / 2,
      y: y + (height - row.box.height) / 2,
      ...row.box,
    };
    const exitsY = y + (height - row.lines.length * EXIT_HEIGHT) / 2;
    const exits = row.lines.map((line, index) =>
      placeExit(line, { busX: exitsX, chipX, y: exitsY + (index + 0.5) * EXIT_HEIGHT }),
    );
    for (const { chip, textX, text } of exits)
      right = Math.max(right, chip.x + chip.width, textX + textWidth(text));
    // The label of the arrow may be wider than the box, and then extends to the right.
    right = Math.max(right, box.x + (row.label?.width ?? 0));
    y += height;
    return { state: row.state, box, exits };
  });
  return { rows: placed, bottom: y, right };
}

function placeExit(
  line: ExitLine,
  { busX, chipX, y }: { busX: number; chipX: number; y: number },
): PlacedExit {
  const width = line.to === null ? 0 : chipWidth(line.name);
  return {
    ...line,
    points: [
      { x: busX, y },
      { x: chipX, y },
    ],
    textX: busX + 8,
    chip: { x: chipX, y: y - CHIP_HEIGHT / 2, width, height: CHIP_HEIGHT },
  };
}

/**
 * Splits rows into columns in their order so that the highest column is as low as possible.
 * @param heights of the rows, pixels
 * @returns the indexes of the rows of each column; at most `count` columns
 */
export function splitIntoColumns(heights: readonly number[], count: number): number[][] {
  const limits = heights
    .flatMap((_, from) =>
      heights.slice(from).map((__, length) => totalOf(heights.slice(from, from + length + 1))),
    )
    .toSorted((one, other) => one - other);
  for (const limit of limits) {
    const columns = fill(heights, limit);
    if (columns && columns.length <= count) return columns;
  }
  return heights.length === 0 ? [] : [heights.map((_, at) => at)];
}

/** Fills columns up to a height; undefined when a single row is higher. */
function fill(heights: readonly number[], limit: number): number[][] | undefined {
  const columns: number[][] = [];
  let used = Infinity;
  for (const [at, height] of heights.entries()) {
    if (height > limit) return undefined;
    if (used + height > limit) {
      columns.push([]);
      used = 0;
    }
    columns.at(-1)!.push(at);
    used += height;
  }
  return columns;
}

function totalOf(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
