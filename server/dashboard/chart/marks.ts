import {
  transitionKey,
  type ChartHop,
  type ChartLayout,
  type ChartMarks,
  type ChartTransition,
} from './chart.ts';
import { isInside, parentOf } from './state-tree.ts';

/** One step of a machine: the dotted paths of the states before and after it. */
export interface TakenStep {
  event: string;
  /** Null for the first step. */
  from: string | null;
  state: string;
}

/**
 * Returns the marks of a machine's steps in its chart. The last step gives the active states, their ancestors
 * included.
 */
export function marksOf(
  { transitions }: Pick<ChartLayout, 'transitions'>,
  steps: readonly TakenStep[],
): ChartMarks {
  const visited = new Set<string>();
  const taken = new Set<string>();
  const hops: ChartHop[] = [];
  const visit = (path: string) => pathsToRoot(path).forEach((at) => at !== '' && visited.add(at));
  for (const step of steps) {
    visit(step.state);
    const passed = transitionsTaken(transitions, step);
    if (step.from !== null && step.from !== step.state && passed[0]?.kind === 'listed')
      hops.push({ from: step.from, to: step.state, event: step.event });
    for (const transition of passed) {
      taken.add(transitionKey(transition));
      // States that were passed through within one step are visited too.
      if (transition.kind === 'arrow') visit(transition.to);
    }
  }
  return { active: steps.at(-1)?.state ?? null, visited, taken, ...(hops.length > 0 && { hops }) };
}

/**
 * Returns the transitions of a step: the one of the event, from the innermost state that handles it, and the eventless
 * ones that followed. Empty for a first step and for a step that the chart does not contain.
 */
export function transitionsTaken(
  transitions: readonly ChartTransition[],
  { from, event, state }: TakenStep,
): ChartTransition[] {
  if (from === null) return [];
  for (const at of pathsToRoot(from)) {
    const here = transitions.filter((transition) => transition.from === at && transition.event === event);
    if (here.length === 0) continue;
    for (const first of byPrecision(here, state)) {
      const rest = leadsTo(first, from, state) ? [] : followUp(transitions, first.to, state);
      if (rest) return [first, ...rest];
    }
    return [];
  }
  return [];
}

/** Returns the paths from a state out to the machine itself, whose path is empty. */
function pathsToRoot(path: string): string[] {
  return path === '' ? [''] : [path, ...pathsToRoot(parentOf(path))];
}

/** Sorts transitions by how precisely they name the state reached, the most precise first. */
function byPrecision(transitions: ChartTransition[], state: string): ChartTransition[] {
  const common = ({ to }: ChartTransition) => (state === to || isInside(state, to) ? to.length + 1 : 0);
  return transitions.toSorted((one, other) => common(other) - common(one));
}

function leadsTo({ kind, to }: ChartTransition, from: string, state: string): boolean {
  if (kind === 'stay' || kind === 'ignore') return state === from;
  return state === to || isInside(state, to);
}

/** Returns the eventless transitions that lead on to the final state of the step. */
function followUp(
  transitions: readonly ChartTransition[],
  from: string,
  state: string,
  seen: string[] = [],
): ChartTransition[] | undefined {
  if (seen.includes(from)) return undefined;
  for (const next of transitions.filter(
    (transition) => transition.from === from && transition.event === 'always',
  )) {
    if (leadsTo(next, from, state)) return [next];
    const rest = followUp(transitions, next.to, state, [...seen, from]);
    if (rest) return [next, ...rest];
  }
  return undefined;
}
