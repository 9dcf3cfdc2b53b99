import type { SourceFile } from './source-tree.ts';

/** For each node, the nodes that it imports. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** The imports among the given files, types included, with each file named as `nameOf` says; none to itself. */
export function graphOf(
  sources: readonly Pick<SourceFile, 'path' | 'imports'>[],
  nameOf: (path: string) => string,
): Graph {
  const known = new Set(sources.map(({ path }) => path));
  const graph = new Map<string, Set<string>>();
  for (const { path, imports } of sources) {
    const from = nameOf(path);
    const targets = graph.get(from) ?? new Set();
    graph.set(from, targets);
    for (const to of imports.filter((target) => known.has(target)).map(nameOf)) {
      if (to !== from) targets.add(to);
    }
  }
  return graph;
}

/**
 * The circles of a graph: each group of nodes that reach each other, sorted by name. A graph without any is
 * acyclic. Found by Tarjan's algorithm.
 */
export function circlesOf(graph: Graph): string[][] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];

  function visit(node: string): void {
    order.set(node, order.size);
    lowest.set(node, order.get(node)!);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node)!, lowest.get(next)!));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) circles.push(circle.sort());
  }

  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}
