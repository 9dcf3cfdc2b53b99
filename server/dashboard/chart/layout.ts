import type { MachineShape } from '../view.ts';
import type { ElkNode } from 'elkjs';
import type { ChartLayout, ChartStart, ChartState, ChartTransition, LayOut, Point } from './chart.ts';
import {
  arrowId,
  arrowsOf,
  beginId,
  graphOf,
  innerLines,
  innerLabels,
  connectedGroupsOf,
  nodeId,
  startId,
  type Arrow,
} from './layout-graph.ts';
import { createArrange, type Arrange, type TimeLimit } from './layout-worker.ts';
import { headOf, missingWidths, Places, packGroups } from './layout-places.ts';
import {
  LABEL_PAD_X,
  LABEL_PAD_Y,
  LINE_HEIGHT,
  linesSize,
  linesTop,
  MARGIN,
  PAD,
  START_SIZE,
  titleSize,
  TITLE_LINES_TOP,
} from './sizes.ts';
import { setBounded } from '../../platform/bounded-map.ts';
import { readTree, type StateTree, type TreeState, type TreeTransition } from './state-tree.ts';
import { readFileSync } from 'node:fs';
import { builtFile } from '../../../protocol/package-root.ts';

/** The file in `dist/` that `scripts/build-layouts.mjs` writes: layouts by shape as JSON. */
const FILE = 'server/dashboard/layouts.json';

let layouts: Map<string, ChartLayout> | undefined;

/**
 * Returns the layout of a machine that comes with Tapbench, which the build laid out: with a cold graph library that
 * takes seconds. Returns undefined for any other machine, and in tests, which run the sources.
 * @param key the machine's shape as JSON
 */
function builtLayout(key: string): ChartLayout | undefined {
  layouts ??= readLayouts();
  return layouts.get(key);
}

function readLayouts(): Map<string, ChartLayout> {
  const file = builtFile(FILE);
  if (file === undefined) return new Map();
  return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, ChartLayout>));
}

/** The number of charts cached: those of the server, and of the kinds of terminal in use. */
const KEPT_MAX = 64;

/**
 * Charts that were laid out, by their shape as JSON. A layout depends on the shape alone, so all servers of a process
 * share them.
 */
const finished = new Map<string, ChartLayout>();

/**
 * Creates a function that lays out machines in its own worker thread, once for each shape however many terminals and
 * servers of this process share it, and not at all when the build did. The function throws Fault `garbage_message` for a shape that is invalid or too large, and `internal`.
 * @param limit the time limit of each graph of a shape; for shapes that terminals send
 */
export function createLayOut(limit?: TimeLimit): LayOut {
  const kept = new Map<string, Promise<ChartLayout>>();
  const arrange = createArrange(limit);
  return (shape) => {
    const key = JSON.stringify(shape);
    const known = kept.get(key);
    if (known) return known;
    const layout = finished.get(key) ?? builtLayout(key);
    const made = layout ? Promise.resolve(layout) : layOutShape(shape, arrange);
    made.then(
      (laidOut) => setBounded(finished, KEPT_MAX, key, laidOut),
      () => kept.delete(key),
    );
    kept.set(key, made);
    for (const oldest of kept.keys()) if (kept.size > KEPT_MAX) kept.delete(oldest);
    return made;
  };
}

/** Lays out a machine of the server's own, without a time limit. */
export const layOut: LayOut = createLayOut();

/** The preferred maximum width of a chart, pixels: a window without its borders. */
const WIDTH_MAX = 1_240;
/** Letters on a line of a label, in the order tried; fewer make a chart narrower and taller. */
const LETTERS = [34, 26, 18];

async function layOutShape(shape: MachineShape, arrange: Arrange): Promise<ChartLayout> {
  const tree = readTree(shape);
  let narrowest: ChartLayout | undefined;
  for (const letters of LETTERS) {
    const made = await layOutTree(tree, letters, arrange);
    if (made.width <= WIDTH_MAX) return made;
    if (made.width < (narrowest?.width ?? Infinity)) narrowest = made;
  }
  return narrowest!;
}

interface Placeable {
  tree: StateTree;
  arrows: Arrow[];
  /** Extra width for the heads of compound states, by path. */
  extraWidths: ReadonlyMap<string, number>;
}

/**
 * Widening a state for its head moves its neighbours, which can make another head too narrow, so the layout is
 * repeated at most this often.
 */
const TRIES = 4;

async function layOutTree(tree: StateTree, letters: number, arrange: Arrange): Promise<ChartLayout> {
  const arrows = arrowsOf(tree, letters);
  const extraWidths = new Map<string, number>();
  for (let tries = 1; ; tries += 1) {
    const { places, size } = await placed({ tree, arrows, extraWidths }, arrange);
    const missing = missingWidths(tree, places);
    if (missing.size === 0 || tries === TRIES)
      return { machineId: tree.machineId, ...size, ...contentsOf(tree, arrows, places) };
    for (const [path, more] of missing) extraWidths.set(path, (extraWidths.get(path) ?? 0) + more);
  }
}

async function placed({ tree, arrows, extraWidths }: Placeable, arrange: Arrange) {
  const graphs = connectedGroupsOf(tree, arrows).map((states) =>
    graphOf({ tree, arrows, states, extraWidths }),
  );
  const arranged = await Promise.all(graphs.map(arrange));
  const titleLines = innerLines(tree, '');
  const title = titleSize(tree.machineId, titleLines);
  const packed = packGroups(title, titleLines.length > 0, arranged.map(sizeOf));
  const places = new Places();
  arranged.forEach((graph, at) => places.add(graph, shifted(packed.places[at]!, MARGIN)));
  const size = { width: Math.ceil(packed.width) + 2 * MARGIN, height: Math.ceil(packed.height) + 2 * MARGIN };
  return { places, size };
}

const shifted = ({ x, y }: Point, by: number): Point => ({ x: x + by, y: y + by });

function sizeOf({ width = 0, height = 0 }: ElkNode) {
  return { width, height };
}

function contentsOf(tree: StateTree, arrows: Arrow[], places: Places) {
  const states = tree.states.slice(1).map((state) => stateOf(tree, state, places));
  const linesAt = (state: TreeState): Point => {
    if (state.path === '') return { x: MARGIN, y: MARGIN + TITLE_LINES_TOP };
    const { head, compound, tag } = states.find(({ path }) => path === state.path)!;
    return { x: head.x + PAD, y: head.y + linesTop({ compound, tag }) };
  };
  return {
    states,
    starts: tree.states.flatMap((state) => startsOf(state, places)),
    transitions: [
      ...arrows.flatMap((arrow) => arrowTransitions(arrow, places)),
      ...tree.states.flatMap((state) => innerTransitions(tree, state, linesAt(state))),
    ],
  };
}

function stateOf(tree: StateTree, state: TreeState, places: Places): ChartState {
  const box = places.box(nodeId(state.path));
  const compound = state.children.length > 0;
  const head = compound ? headOf(tree, state, places) : box;
  return {
    path: state.path,
    name: state.name,
    ...box,
    head,
    compound,
    parallel: state.kind === 'parallel',
    initial: tree.states.some(({ start }) => start === state.path),
    final: state.kind === 'final',
    history: state.kind === 'history' ? 'shallow' : state.kind === 'deepHistory' ? 'deep' : null,
    tag: state.tag,
  };
}

function startsOf({ path, start }: TreeState, places: Places): ChartStart[] {
  if (start === null) return [];
  const dot = places.box(startId(path));
  const { points } = places.edge(beginId(path));
  return [{ x: dot.x + START_SIZE / 2, y: dot.y + START_SIZE / 2, to: start, points }];
}

function arrowTransitions(arrow: Arrow, places: Places): ChartTransition[] {
  const { points, label } = places.edge(arrowId(arrow));
  let y = label.y + LABEL_PAD_Y;
  return arrow.transitions.map(({ transition, lines }) => {
    const height = lines.length * LINE_HEIGHT;
    const own = { x: label.x + LABEL_PAD_X, y, width: label.width - 2 * LABEL_PAD_X, height, lines };
    y += height;
    return { ...named(transition), points, label: own };
  });
}

function innerTransitions(tree: StateTree, { path }: TreeState, { x, y: top }: Point): ChartTransition[] {
  let y = top;
  return innerLabels(tree, path).map(({ transition, lines }) => {
    const label = { x, y, ...linesSize(lines), lines };
    y += label.height;
    return { ...named(transition), points: [], label };
  });
}

function named({ from, to, event, guard, kind }: TreeTransition) {
  return { from, to, event, guard, kind };
}
