import type { ElkExtendedEdge, ElkNode } from 'elkjs';
import type { Box, Point } from './chart.ts';
import { innerLines, nodeId } from './layout-graph.ts';
import { headSize, PAD, type Size } from './sizes.ts';
import type { StateTree, TreeState } from './state-tree.ts';

/** The positions from the graph library, with each group of states moved to its place in the chart. */
export class Places {
  readonly #nodes = new Map<string, Box>();
  readonly #edges = new Map<string, { points: Point[]; label: Box }>();

  add(graph: ElkNode, by: Point): void {
    for (const node of graph.children ?? []) this.#addNode(node, by);
    for (const edge of graph.edges ?? []) this.#addEdge(edge, by);
  }

  #addNode(node: ElkNode, by: Point): void {
    this.#nodes.set(node.id, boxOf(node, by));
    for (const child of node.children ?? []) this.#addNode(child, by);
  }

  #addEdge({ id, sections = [], labels: [label] = [] }: ElkExtendedEdge, by: Point): void {
    const points = sections.flatMap(({ startPoint, bendPoints = [], endPoint }) => [
      startPoint,
      ...bendPoints,
      endPoint,
    ]);
    this.#edges.set(id, {
      points: points.map(({ x, y }) => ({ x: tenth(x + by.x), y: tenth(y + by.y) })),
      label: boxOf(label ?? {}, by),
    });
  }

  box(id: string): Box {
    return this.#nodes.get(id) ?? { x: 0, y: 0, width: 0, height: 0 };
  }

  edge(id: string): { points: Point[]; label: Box } {
    return this.#edges.get(id) ?? { points: [], label: { x: 0, y: 0, width: 0, height: 0 } };
  }

  /** Returns the x of the vertical lines through a band. */
  linesDown({ y, height }: Pick<Box, 'y' | 'height'>): number[] {
    return [...this.#edges.values()].flatMap(({ points }) =>
      points.flatMap((point, at) => {
        const next = points[at + 1];
        if (!next || next.x !== point.x) return [];
        const [top, bottom] = [Math.min(point.y, next.y), Math.max(point.y, next.y)];
        return top < y + height && bottom > y ? [point.x] : [];
      }),
    );
  }
}

function boxOf({ x = 0, y = 0, width = 0, height = 0 }: Partial<Box>, by: Point): Box {
  return { x: tenth(x + by.x), y: tenth(y + by.y), width: tenth(width), height: tenth(height) };
}

/** Rounds to a tenth of a pixel: finer than any screen, and it keeps drawings short. */
function tenth(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

/** The least distance between a line and a head, pixels. */
const CLEAR = PAD / 2;

/** Returns the box of a compound state's head: at the left, unless arrows enter there. */
export function headOf(tree: StateTree, state: TreeState, places: Places): Box {
  const { box, size, lines } = linesAcrossHead(tree, state, places);
  return { x: tenth(freePlace(box, size, lines) ?? box.x), y: box.y, ...size };
}

/** Returns the extra width that each state needs at its left so that no arrow crosses its head. */
export function missingWidths(tree: StateTree, places: Places): ReadonlyMap<string, number> {
  const missing = new Map<string, number>();
  for (const state of tree.states.filter(({ path, children }) => path !== '' && children.length > 0)) {
    const { box, size, lines } = linesAcrossHead(tree, state, places);
    if (freePlace(box, size, lines) !== undefined) continue;
    const room = Math.min(box.width, ...lines.map((line) => line - box.x));
    missing.set(state.path, Math.ceil(size.width - room) + 1);
  }
  return missing;
}

function linesAcrossHead(tree: StateTree, state: TreeState, places: Places) {
  const box = places.box(nodeId(state.path));
  const size = headSize(state.name, state.tag, innerLines(tree, state.path));
  const lines = places
    .linesDown({ y: box.y + 1, height: size.height - 1 })
    .filter((line) => line > box.x && line < box.x + box.width);
  return { box, size, lines };
}

function freePlace(box: Box, size: Size, lines: number[]): number | undefined {
  const isFree = (x: number) => lines.every((line) => line < x + CLEAR || line > x + size.width - CLEAR);
  const candidates = [box.x, ...lines.map((line) => line - CLEAR + 1)].toSorted((one, other) => one - other);
  return candidates.find((x) => x >= box.x && x + size.width <= box.x + box.width && isFree(x));
}

const GAP = 32;
/** The maximum width of a chart, pixels, unless one of its parts is wider. */
const WIDTH = 1_000;

interface Packed extends Size {
  places: Point[];
}

/**
 * Positions the parts of a chart that no arrow connects. The first goes below the title. The others can be reached
 * from any state, so they go beside the list of those transitions or, without such a list, below the first part.
 */
export function packGroups(title: Size, listed: boolean, [main, ...others]: Size[]): Packed {
  const mainSize = main ?? { width: 0, height: 0 };
  const room = Math.max(mainSize.width, WIDTH);
  const top = title.height + GAP / 2;
  if (!listed) {
    const row = flow(others, { x: 0, y: top + mainSize.height + GAP, room });
    return fit([{ x: 0, y: top }, ...row.places], [mainSize, ...others], title);
  }
  const beside = flow(others, { x: title.width + 2 * GAP, y: 0, room });
  const below = Math.max(top, beside.bottom + GAP);
  const right = Math.max(title.width, ...others.map((other, at) => beside.places[at]!.x + other.width));
  const x = Math.max(0, (right - mainSize.width) / 2);
  return fit([{ x, y: others.length > 0 ? below : top }, ...beside.places], [mainSize, ...others], title);
}

/** Positions the parts in rows, as words wrap. */
function flow(
  sizes: Size[],
  { x: left, y: top, room }: Point & { room: number },
): { places: Point[]; bottom: number } {
  let [x, y, bottom] = [left, top, top];
  const places = sizes.map(({ width, height }) => {
    if (x > left && x + width > room) [x, y] = [left, bottom + GAP];
    const place = { x, y };
    x += width + GAP;
    bottom = Math.max(bottom, y + height);
    return place;
  });
  return { places, bottom };
}

function fit(places: Point[], sizes: Size[], title: Size): Packed {
  return {
    places,
    width: Math.max(title.width, ...places.map(({ x }, at) => x + sizes[at]!.width)),
    height: Math.max(title.height, ...places.map(({ y }, at) => y + sizes[at]!.height)),
  };
}
