import type { ElkExtendedEdge, ElkNode } from 'elkjs';
import type { Box, Point } from './chart.ts';

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
export function tenth(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
