import type { Box } from './chart.ts';
import { innerLines, nodeId } from './layout-graph.ts';
import { tenth, type Places } from './layout-places.ts';
import { headSize, PAD, type Size } from './sizes.ts';
import type { StateTree, TreeState } from './state-tree.ts';

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
