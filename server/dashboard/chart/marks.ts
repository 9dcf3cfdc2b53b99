import { transitionKey, type ChartLayout, type ChartMarks, type ChartTransition } from './chart.ts';
import { isInside, parentOf } from './state-tree.ts';

/** One step of a machine, as it is heard of: the dotted paths of where it stood and where it stands. */
export interface TakenStep {
  event: string;
  /** Null for the first. */
  from: string | null;
  state: string;
}

/** What a machine's steps mark in its chart. The last one says where it stands; states around one count with it. */
export function marksOf(
  { transitions }: Pick<ChartLayout, 'transitions'>,
  steps: readonly TakenStep[],
): ChartMarks {
  const visited = new Set<string>();
  const taken = new Set<string>();
  const visit = (path: string) => pathsOutwards(path).forEach((at) => at !== '' && visited.add(at));
  for (const step of steps) {
    visit(step.state);
    for (const transition of transitionsTaken(transitions, step)) {
      taken.add(transitionKey(transition));
      // What was only passed through was visited too.
      if (transition.kind === 'arrow') visit(transition.to);
    }
  }
  return { active: steps.at(-1)?.state ?? null, visited, taken };
}

/**
 * The transitions by which a step was made: that of the event, of the innermost state that has one, and those that
 * followed by themselves. None for a first step, or one that the chart does not know.
 */
export function transitionsTaken(
  transitions: readonly ChartTransition[],
  { from, event, state }: TakenStep,
): ChartTransition[] {
  if (from === null) return [];
  for (const at of pathsOutwards(from)) {
    const here = transitions.filter((transition) => transition.from === at && transition.event === event);
    if (here.length === 0) continue;
    for (const first of byCloseness(here, state)) {
      const rest = leadsTo(first, from, state) ? [] : followUp(transitions, first.to, state);
      if (rest) return [first, ...rest];
    }
    return [];
  }
  return [];
}

/** From a state to the machine itself, which has the empty path. */
function pathsOutwards(path: string): string[] {
  return path === '' ? [''] : [path, ...pathsOutwards(parentOf(path))];
}

/** The nearest to what was reached first: of two ways into the same place the one that names more of it. */
function byCloseness(transitions: ChartTransition[], state: string): ChartTransition[] {
  const common = ({ to }: ChartTransition) => (state === to || isInside(state, to) ? to.length + 1 : 0);
  return transitions.toSorted((one, other) => common(other) - common(one));
}

function leadsTo({ kind, to }: ChartTransition, from: string, state: string): boolean {
  if (kind === 'stay' || kind === 'ignore') return state === from;
  return state === to || isInside(state, to);
}

/** The transitions without an event that lead on to where the step ended. */
function followUp(
  transitions: readonly ChartTransition[],
  from: string,
  state: string,
  seen: string[] = [],
): ChartTransition[] | undefined {
  if (seen.includes(from)) return undefined;
  for (const next of transitions.filter((way) => way.from === from && way.event === 'always')) {
    if (leadsTo(next, from, state)) return [next];
    const rest = followUp(transitions, next.to, state, [...seen, from]);
    if (rest) return [next, ...rest];
  }
  return undefined;
}
