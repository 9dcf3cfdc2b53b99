import type { ElkNode } from 'elkjs';
import { boxSize, headSize, labelSize, linesOf, START_SIZE } from './sizes.ts';
import { isInside, type StateTree, type TreeState, type TreeTransition } from './state-tree.ts';

/** Options of the graph library. Each compound state needs them, since options are not inherited. */
const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.randomSeed': '1',
  // Cycles are broken depth-first from the initial state, so that a transition to an earlier state points back.
  'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.spacing.nodeNodeBetweenLayers': '24',
  'elk.layered.spacing.edgeNodeBetweenLayers': '16',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '10',
  'elk.spacing.nodeNode': '24',
  'elk.spacing.edgeNode': '16',
  'elk.spacing.edgeEdge': '12',
  'elk.spacing.edgeLabel': '0',
  'elk.spacing.nodeSelfLoop': '18',
  'elk.padding': '[top=0,left=0,bottom=0,right=0]',
};

const INSET = 20;

/** The transitions from one state to one other, which share an arrow. */
export interface Arrow {
  from: string;
  to: string;
  transitions: { transition: TreeTransition; lines: string[] }[];
}

export const nodeId = (path: string) => `state:${path}`;
export const startId = (path: string) => `start:${path}`;
export const beginId = (path: string) => `begin:${path}`;
export const arrowId = ({ from, to }: Arrow) => `arrow:${from} ${to}`;

/**
 * Groups the transitions into arrows.
 * @param lettersMax the length beyond which a label takes two lines
 */
export function arrowsOf({ transitions }: StateTree, lettersMax: number): Arrow[] {
  const arrows = new Map<string, Arrow>();
  for (const transition of transitions.filter(({ kind }) => kind === 'arrow')) {
    const key = JSON.stringify([transition.from, transition.to]);
    const arrow = arrows.get(key) ?? { from: transition.from, to: transition.to, transitions: [] };
    arrow.transitions.push({ transition, lines: linesOf(transition, lettersMax) });
    arrows.set(key, arrow);
  }
  return [...arrows.values()];
}

/** Returns the transitions that are drawn as lines inside a state's own box. */
export function innerLabels(
  tree: StateTree,
  path: string,
): { transition: TreeTransition; lines: string[] }[] {
  return tree.transitions
    .filter((transition) => transition.from === path && transition.kind !== 'arrow')
    .map((transition) => ({ transition, lines: linesOf(transition) }));
}

export const innerLines = (tree: StateTree, path: string) =>
  innerLabels(tree, path).flatMap(({ lines }) => lines);

/** Groups the top-level states that arrows connect, the group with the initial state first. */
export function connectedGroupsOf(tree: StateTree, arrows: Arrow[]): TreeState[][] {
  const top = (path: string) =>
    tree.root.children.findIndex((child) => child.path === path || isInside(path, child.path));
  const groups = tree.root.children.map((_, at) => at);
  for (const { from, to } of arrows) {
    const [one, other] = [groups[top(from)]!, groups[top(to)]!];
    groups.forEach((number, at) => {
      if (number === other) groups[at] = one;
    });
  }
  const first = tree.root.start === null ? 0 : top(tree.root.start);
  const numbers = [...new Set([groups[first]!, ...groups])];
  return numbers.map((number) => tree.root.children.filter((_, at) => groups[at] === number));
}

interface ConnectedGroup {
  tree: StateTree;
  arrows: Arrow[];
  states: TreeState[];
  /** Extra width of a state at its left, pixels. */
  extraWidths: ReadonlyMap<string, number>;
}

/** Returns one group of connected states in the format of the graph library. */
export function graphOf(group: ConnectedGroup): ElkNode {
  const { tree, arrows, states } = group;
  const isHere = (path: string) => states.some((state) => state.path === path || isInside(path, state.path));
  const starts = tree.states.filter(({ start }) => start !== null && isHere(start));
  return {
    id: 'root',
    layoutOptions: OPTIONS,
    children: [
      ...(tree.root.start !== null && isHere(tree.root.start) ? [startNode('')] : []),
      ...states.map((state) => nodeOf(group, state)),
    ],
    edges: [
      ...starts.map(({ path, start }) => ({
        id: beginId(path),
        sources: [startId(path)],
        targets: [nodeId(start!)],
      })),
      ...arrows.filter(({ from }) => isHere(from)).map(edgeOf),
    ],
  };
}

function startNode(path: string): ElkNode {
  return { id: startId(path), width: START_SIZE, height: START_SIZE };
}

function nodeOf(group: ConnectedGroup, state: TreeState): ElkNode {
  const id = nodeId(state.path);
  const lines = innerLines(group.tree, state.path);
  if (state.children.length === 0) return { id, ...boxSize(state, lines) };
  const top = headSize(state.name, state.tag, lines).height + INSET / 2;
  const left = INSET + (group.extraWidths.get(state.path) ?? 0);
  return {
    id,
    layoutOptions: {
      ...OPTIONS,
      'elk.padding': `[top=${top},left=${left},bottom=${INSET},right=${INSET}]`,
    },
    children: [
      ...(state.start === null ? [] : [startNode(state.path)]),
      ...state.children.map((child) => nodeOf(group, child)),
    ],
  };
}

function edgeOf(arrow: Arrow) {
  const lines = arrow.transitions.flatMap((transition) => transition.lines);
  const layoutOptions = { 'elk.edgeLabels.inline': 'true', 'elk.edgeLabels.placement': 'CENTER' };
  return {
    id: arrowId(arrow),
    sources: [nodeId(arrow.from)],
    targets: [nodeId(arrow.to)],
    labels: [{ id: `label ${arrowId(arrow)}`, text: ' ', ...labelSize(lines), layoutOptions }],
  };
}
