import type { Box, Point } from './chart.ts';

/** Between a line and what it goes around, pixels. */
const CLEAR = 8;
/** A line may be longer by this many pixels for each corner that it saves. */
const CORNER_COST = 40;

interface Grid {
  xs: number[];
  ys: number[];
  /** Whether an obstacle is between a point and the next one of its row; by column and row. */
  blockedRight: Uint8Array;
  /** Whether an obstacle is between a point and the next one of its column. */
  blockedDown: Uint8Array;
}

/** A point of the grid that a line reaches, in columns and rows. */
interface Reached {
  x: number;
  y: number;
  isHorizontal: boolean;
  cost: number;
  /** The cost and the least length of the rest. */
  estimate: number;
  before: Reached | null;
}

/**
 * Returns a line of horizontal and vertical parts from the edge of one box to the edge of another that crosses no
 * obstacle: as short as possible, with few corners. Undefined when there is none.
 * @param obstacles neither of the boxes among them
 */
export function routeAround(from: Box, to: Box, obstacles: readonly Box[]): Point[] | undefined {
  const grid = gridOf(from, to, obstacles);
  const [start, end] = [centreOf(from), centreOf(to)];
  const first = {
    x: grid.xs.indexOf(start.x),
    y: grid.ys.indexOf(start.y),
    cost: 0,
    estimate: 0,
    before: null,
  };
  const queue: Reached[] = [true, false].map((isHorizontal) => ({ ...first, isHorizontal }));
  // By place and direction. A place is queued again only at a lower cost.
  const leastCosts = new Float64Array(2 * grid.xs.length * grid.ys.length).fill(Infinity);
  const keyOf = ({ x, y, isHorizontal }: Reached) => 2 * (x * grid.ys.length + y) + Number(isHorizontal);
  for (let next = queue.pop(); next; next = queue.pop()) {
    if (next.cost > leastCosts[keyOf(next)]!) continue;
    if (grid.xs[next.x] === end.x && grid.ys[next.y] === end.y)
      return between(cornersOf(next, grid), from, to);
    for (const step of stepsFrom(next, end, grid)) {
      if (step.cost >= leastCosts[keyOf(step)]!) continue;
      leastCosts[keyOf(step)] = step.cost;
      enqueue(queue, step);
    }
  }
  return undefined;
}

function gridOf(from: Box, to: Box, obstacles: readonly Box[]): Grid {
  const around = [from, to, ...obstacles].map((box) => inflate(box, CLEAR));
  const [start, end] = [centreOf(from), centreOf(to)];
  const xs = inOrder([start.x, end.x, ...around.flatMap(({ x, width }) => [x, x + width])]);
  const ys = inOrder([start.y, end.y, ...around.flatMap(({ y, height }) => [y, y + height])]);
  const grid = {
    xs,
    ys,
    blockedRight: new Uint8Array(xs.length * ys.length),
    blockedDown: new Uint8Array(xs.length * ys.length),
  };
  for (const box of obstacles) block(grid, inflate(box, CLEAR - 0.5));
  return grid;
}

/** Marks what an obstacle blocks: all its edges are in the grid, so a part of a line is in it as a whole or not at all. */
function block({ xs, ys, blockedRight, blockedDown }: Grid, { x, y, width, height }: Box): void {
  const [firstX, firstY] = [xs.findIndex((at) => at >= x - 1), ys.findIndex((at) => at >= y - 1)];
  for (let column = firstX; xs[column]! <= x + width; column += 1)
    for (let row = firstY; ys[row]! <= y + height; row += 1) {
      const at = column * ys.length + row;
      if (ys[row]! >= y) blockedRight[at] = 1;
      if (xs[column]! >= x) blockedDown[at] = 1;
    }
}

const DIRECTIONS = [
  { dx: -1, dy: 0 },
  { dx: 1, dy: 0 },
  { dx: 0, dy: -1 },
  { dx: 0, dy: 1 },
];

function stepsFrom(at: Reached, end: Point, { xs, ys, blockedRight, blockedDown }: Grid): Reached[] {
  const [fromX, fromY] = [xs[at.x]!, ys[at.y]!];
  return DIRECTIONS.flatMap(({ dx, dy }) => {
    const [x, y] = [xs[at.x + dx], ys[at.y + dy]];
    if (x === undefined || y === undefined) return [];
    const isHorizontal = dy === 0;
    // What is blocked is marked at its left or upper end.
    const marked = (at.x + Math.min(dx, 0)) * ys.length + at.y + Math.min(dy, 0);
    if (isHorizontal ? blockedRight[marked] : blockedDown[marked]) return [];
    const corner = isHorizontal === at.isHorizontal ? 0 : CORNER_COST;
    const cost = at.cost + Math.abs(x - fromX) + Math.abs(y - fromY) + corner;
    const estimate = cost + Math.abs(end.x - x) + Math.abs(end.y - y);
    return [{ x: at.x + dx, y: at.y + dy, isHorizontal, cost, estimate, before: at }];
  });
}

/** Keeps the queue in descending order, so that the last is the next. */
function enqueue(queue: Reached[], step: Reached): void {
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (queue[middle]!.estimate > step.estimate) low = middle + 1;
    else high = middle;
  }
  queue.splice(low, 0, step);
}

function cornersOf(last: Reached, { xs, ys }: Grid): Point[] {
  const points: Point[] = [];
  for (let at: Reached | null = last; at; at = at.before) points.unshift({ x: xs[at.x]!, y: ys[at.y]! });
  return points.filter((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (!before || !after) return true;
    const isStraight =
      (before.x === point.x && point.x === after.x) || (before.y === point.y && point.y === after.y);
    return !isStraight;
  });
}

/** Cuts off what lies within the two boxes. */
function between(points: Point[], from: Box, to: Box): Point[] {
  const cutStart = cutAtEdge(points, from);
  return cutAtEdge(cutStart.toReversed(), to).toReversed();
}

/** Returns the line from where it leaves a box for the last time, straight along its part. */
function cutAtEdge(points: Point[], box: Box): Point[] {
  const last = points.findLastIndex((point) => contains(box, point));
  const [inside, outside] = [points[last], points[last + 1]];
  if (!inside || !outside) return points;
  const edge = {
    x: Math.min(Math.max(outside.x, box.x), box.x + box.width),
    y: Math.min(Math.max(outside.y, box.y), box.y + box.height),
  };
  return [edge, ...points.slice(last + 1)];
}

/** Whether a point lies inside a box or on its edge. */
function contains({ x, y, width, height }: Box, point: Point): boolean {
  return point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;
}

function inflate({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

function centreOf({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

function inOrder(numbers: number[]): number[] {
  return [...new Set(numbers)].sort((one, other) => one - other);
}
