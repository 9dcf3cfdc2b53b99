import type { ChartLayout, ChartTransition } from './chart.ts';
import { transitionsTaken, type TakenStep } from './marks.ts';
import { isInside, parentOf } from './state-tree.ts';

/** The part of a machine that its steps went through, with the states one transition away. */
export interface TakenPath {
  /** In the order of the first visit. */
  states: PathState[];
  /** The transitions that were taken between two states, each pair of states once. */
  arrows: PathArrow[];
  /** The transitions that apply in any state, by their events. */
  anywhere: { event: string; to: string[] }[];
}

export interface PathState {
  /** Dotted path, such as `approved.printing.merchantCopy`. */
  path: string;
  name: string;
  /** Path of the parent state; empty for the machine itself. */
  within: string;
  tag: string | null;
  final: boolean;
  /** The number of steps before the one that first led here. */
  firstStep: number;
  /** Events that were handled here without leaving the state. */
  handled: { event: string; firstStep: number }[];
  /** The transitions to other states that were not taken. */
  exits: PathExit[];
}

export interface PathArrow {
  from: string;
  to: string;
  events: { event: string; guard: string | null; firstStep: number }[];
}

/** The transitions from one state to one neighbour, none of which was taken. */
export interface PathExit {
  /** Path of the neighbour, or of the state around it that the first state is not part of. */
  to: string;
  events: { event: string; guard: string | null }[];
}

type Machine = Pick<ChartLayout, 'states' | 'transitions'>;

/**
 * Reduces a machine to the states of its steps and their neighbours. A step that the machine does not describe is an
 * arrow with its event alone.
 */
export function takenPath(machine: Machine, steps: readonly TakenStep[]): TakenPath {
  const states = new Map<string, PathState>();
  const arrows = new Map<string, PathArrow>();
  const visit = (path: string, firstStep: number): PathState => {
    const known = states.get(path);
    if (known) return known;
    const state = stateAt(machine, path, firstStep);
    states.set(path, state);
    return state;
  };
  steps.forEach((step, at) => {
    if (step.from !== null) visit(step.from, at);
    for (const hop of hopsOf(machine, step)) {
      const { from, to, event, guard } = hop;
      if (from === to) {
        const { handled } = visit(from, at);
        if (!handled.some((one) => one.event === event)) handled.push({ event, firstStep: at });
        continue;
      }
      visit(from, at);
      visit(to, at);
      const key = JSON.stringify([from, to]);
      const arrow = arrows.get(key) ?? { from, to, events: [] };
      arrows.set(key, arrow);
      if (!arrow.events.some((one) => one.event === event && one.guard === guard))
        arrow.events.push({ event, guard, firstStep: at });
    }
    visit(step.state, at);
  });
  for (const state of states.values()) state.exits = exitsOf(machine, state, [...arrows.values()]);
  return { states: [...states.values()], arrows: [...arrows.values()], anywhere: anywhereOf(machine) };
}

function anywhereOf({ transitions }: Machine): TakenPath['anywhere'] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to, event, kind } of transitions)
    if (from === '' && kind === 'listed')
      targets.set(event, (targets.get(event) ?? new Set()).add(outermost(to, '')));
  return [...targets].map(([event, to]) => ({ event, to: [...to] }));
}

function stateAt({ states }: Machine, path: string, firstStep: number): PathState {
  const known = states.find((state) => state.path === path);
  return {
    path,
    name: known?.name ?? path.split('.').at(-1)!,
    within: parentOf(path),
    tag: known?.tag ?? null,
    final: known?.final ?? false,
    firstStep,
    handled: [],
    exits: [],
  };
}

type Hop = Pick<ChartTransition, 'from' | 'to' | 'event' | 'guard'>;

/** Returns the moves of a step from leaf state to leaf state, through the transient states between. */
function hopsOf({ transitions }: Machine, step: TakenStep): Hop[] {
  const { from, event, state } = step;
  if (from === null) return [];
  const taken = transitionsTaken(transitions, step);
  if (taken.length === 0) return [{ from, to: state, event, guard: null }];
  return taken.map((transition, at) => ({
    from: at === 0 ? from : taken[at - 1]!.to,
    to: at === taken.length - 1 ? state : transition.to,
    event: transition.event,
    guard: transition.guard,
  }));
}

function exitsOf({ transitions }: Machine, { path }: PathState, arrows: readonly PathArrow[]): PathExit[] {
  const isJoined = (to: string) =>
    arrows.some((arrow) => arrow.from === path && (arrow.to === to || isInside(arrow.to, to)));
  const leaving: ChartTransition[] = [];
  const handled = new Set<string>();
  for (let at = path; at !== ''; at = parentOf(at)) {
    const here = transitions.filter(({ from, event }) => from === at && !handled.has(event));
    leaving.push(...here);
    // The innermost state that handles an event takes it from its parents, unless its guard may fail.
    for (const { event, guard } of here) if (guard === null) handled.add(event);
  }
  const exits = new Map<string, PathExit>();
  for (const { kind, to: target, event, guard } of leaving) {
    const to = outermost(target, path);
    if (kind === 'stay' || kind === 'ignore' || to === path || isJoined(to)) continue;
    const exit = exits.get(to) ?? { to, events: [] };
    exit.events.push({ event, guard });
    exits.set(to, exit);
  }
  return [...exits.values()];
}

/** Returns the outermost state around a state that does not contain another one; the state itself if none does. */
function outermost(path: string, other: string): string {
  const parent = parentOf(path);
  return parent === '' || other === parent || isInside(other, parent) ? path : outermost(parent, other);
}
