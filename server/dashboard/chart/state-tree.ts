import { Fault } from '../../../protocol/failures.ts';
import type { MachineShape } from '../view.ts';
import type { TransitionKind } from './chart.ts';
import { isObject } from '../../../protocol/outside-json.ts';

/** A machine as a drawing needs it: states by their paths, and each transition between them once. */
export interface StateTree {
  machineId: string;
  root: TreeState;
  /** The root first; a parent precedes its children. */
  states: TreeState[];
  transitions: TreeTransition[];
}

export interface TreeState {
  path: string;
  name: string;
  kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history' | 'deepHistory';
  tag: string | null;
  /** Path of the initial state. */
  start: string | null;
  children: TreeState[];
}

/** The transitions for one event from one state to one other, with their guards joined. */
export interface TreeTransition {
  from: string;
  to: string;
  event: string;
  guard: string | null;
  /** Taken when no guard of another transition allows the event. */
  otherwise: boolean;
  kind: TransitionKind;
}

/**
 * More than any machine that a person could read. The limit is needed because terminals, which are untrusted, send
 * machines.
 */
const STATES_MAX = 100;
const TRANSITIONS_MAX = 200;
const DEPTH_MAX = 12;
const NAME_MAX = 60;

type Json = Record<string, unknown>;

/** @throws Fault `garbage_message` for a machine that is invalid, or too large to draw */
export function readTree({ machineId, definition }: MachineShape): StateTree {
  if (!isObject(definition))
    throw new Fault('garbage_message', `machine ${shorten(machineId)} has no states`);
  const states: TreeState[] = [];
  const raw = new Map<string, Json>();
  const root = readState(definition, '', shorten(machineId), { states, raw });
  const idOfRoot = typeof definition['id'] === 'string' ? definition['id'] : machineId;
  // A history state has no transitions: it represents another state.
  const living = states.filter(({ kind }) => kind !== 'history' && kind !== 'deepHistory');
  const transitions = living.flatMap(({ path }) => transitionsFrom(path, raw, idOfRoot));
  if (transitions.length > TRANSITIONS_MAX)
    throw new Fault('garbage_message', 'a machine has too many transitions to be drawn');
  return { machineId, root, states, transitions };
}

interface Reading {
  states: TreeState[];
  raw: Map<string, Json>;
}

function readState(node: Json, path: string, name: string, into: Reading): TreeState {
  const inside = isObject(node['states']) ? Object.entries(node['states']).filter(isState) : [];
  const [tag] = textsOf(node['tags']);
  const initial =
    typeof node['initial'] === 'string' ? inside.find(([key]) => key === node['initial']) : undefined;
  const state: TreeState = {
    path,
    name,
    kind: kindOf(node, inside.length > 0),
    tag: tag === undefined ? null : shorten(tag),
    start: initial ? pathOf(path, partOf(initial[0])) : null,
    children: [],
  };
  into.states.push(state);
  into.raw.set(path, node);
  if (into.states.length > STATES_MAX || path.split('.').length > DEPTH_MAX)
    throw new Fault('garbage_message', 'a machine has too many states to be drawn');
  state.children = inside.map(([key, child]) =>
    readState(child, pathOf(path, partOf(key)), shorten(key), into),
  );
  return state;
}

function kindOf({ type, history }: Json, hasStates: boolean): TreeState['kind'] {
  if (type === 'history') return history === 'deep' ? 'deepHistory' : 'history';
  if (type === 'parallel' && hasStates) return 'parallel';
  if (hasStates) return 'compound';
  return type === 'final' ? 'final' : 'atomic';
}

function transitionsFrom(from: string, raw: Map<string, Json>, idOfRoot: string): TreeTransition[] {
  const node = raw.get(from)!;
  const on = isObject(node['on']) ? Object.entries(node['on']) : [];
  const listed: [string, unknown][] = [...on, ['always', node['always']]];
  return listed.flatMap(([event, branches]) => {
    const transitions = new Map<string, TreeTransition>();
    const all = (Array.isArray(branches) ? branches : [branches]).filter(isObject);
    for (const branch of all) {
      const [target] = textsOf(branch['target']);
      const to = target === undefined ? from : resolve(target, from, raw, idOfRoot);
      if (to === undefined) continue;
      const guard = typeof branch['guard'] === 'string' ? shorten(branch['guard']) : null;
      const same = transitions.get(to);
      const kind = kindOfTransition({ from, to, branch });
      if (same) {
        same.guard = same.guard === null || guard === null ? null : `${same.guard} or ${guard}`;
        // An arrow shows more than a line in the box.
        if (kind === 'arrow') same.kind = kind;
      } else
        transitions.set(to, {
          from,
          to,
          event: shorten(event),
          guard,
          otherwise: guard === null && all.length > 1,
          kind,
        });
    }
    // A single transition left has no alternative, so it needs no `else`.
    if (transitions.size === 1) for (const transition of transitions.values()) transition.otherwise = false;
    return [...transitions.values()];
  });
}

function kindOfTransition({ from, to, branch }: { from: string; to: string; branch: Json }): TransitionKind {
  if (from === to) {
    if (branch['reenter'] === true && from !== '') return 'arrow';
    const does = branch['target'] !== undefined || textsOf(branch['actions']).length > 0 || branch['guard'];
    return does ? 'stay' : 'ignore';
  }
  return isInside(to, from) || isInside(from, to) ? 'listed' : 'arrow';
}

/** Returns whether a state is a descendant of another one. */
export function isInside(path: string, outer: string): boolean {
  return path !== outer && (outer === '' || path.startsWith(`${outer}.`));
}

export function parentOf(path: string): string {
  return path.split('.').slice(0, -1).join('.');
}

/** Resolves a target: `#machine.path`, `.child`, or the name of a sibling state. */
function resolve(target: string, from: string, raw: Map<string, Json>, idOfRoot: string): string | undefined {
  const path = target.startsWith('#')
    ? target.slice(1) === idOfRoot
      ? ''
      : target.slice(idOfRoot.length + 2)
    : target.startsWith('.')
      ? pathOf(from, target.slice(1))
      : pathOf(parentOf(from), target);
  return raw.has(path) ? path : undefined;
}

function pathOf(parent: string, key: string): string {
  return parent === '' ? key : `${parent}.${key}`;
}

/** Returns a state's name as part of a path. Dots separate names there, so a name keeps none. */
function partOf(key: string): string {
  return key.replaceAll('.', '·') || '·';
}

function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string');
}

function isState(entry: [string, unknown]): entry is [string, Json] {
  return isObject(entry[1]);
}

function shorten(text: string): string {
  return text.length <= NAME_MAX ? text : `${text.slice(0, NAME_MAX - 1)}…`;
}
