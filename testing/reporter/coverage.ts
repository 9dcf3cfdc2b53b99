import { transitionKey, type ChartLayout } from '../../server/dashboard/chart/chart.ts';
import { transitionsTaken, type TakenStep } from '../../server/dashboard/chart/marks.ts';
import { parentOf } from '../../server/dashboard/chart/state-tree.ts';

/** Coverage of a machine by the worlds of a run. */
export interface MachineCoverage {
  machineId: string;
  /** Paths, in the order of the chart. */
  states: Counted[];
  /** Keys of `transitionKey`. */
  transitions: Counted[];
  /** Steps that match no transition of the chart, as `from event state`. */
  unexplained: string[];
}

export interface Counted {
  key: string;
  times: number;
}

/** Steps of a machine, each with how often it was taken. */
export type CountedSteps = ReadonlyMap<string, { step: TakenStep; times: number }>;

/** Computes the coverage of a machine by these steps. Ignored events do not count as transitions. */
export function coverageOf(layout: ChartLayout, steps: CountedSteps): MachineCoverage {
  const states = counter(layout.states.filter(({ history }) => history === null).map(({ path }) => path));
  const transitions = counter(layout.transitions.filter(({ kind }) => kind !== 'ignore').map(transitionKey));
  const unexplained: string[] = [];
  for (const { step, times } of steps.values()) {
    const taken = transitionsTaken(layout.transitions, step);
    const stood = [step.from ?? '', step.state, ...taken.map(({ to }) => to)].flatMap(outwards);
    for (const path of new Set(stood)) states.count(path, times);
    for (const transition of taken) transitions.count(transitionKey(transition), times);
    if (taken.length === 0 && step.from !== null)
      unexplained.push(`${step.from} ${step.event} ${step.state}`);
  }
  return {
    machineId: layout.machineId,
    states: states.list(),
    transitions: transitions.list(),
    unexplained,
  };
}

/** Returns a state with its parents. */
function outwards(path: string): string[] {
  return path === '' ? [] : [path, ...outwards(parentOf(path))];
}

/** Returns the covered share in per cent; 100 only when nothing is missing. */
export function percentOf(counted: readonly Counted[]): number {
  if (counted.length === 0) return 100;
  return Math.floor(((counted.length - missingOf(counted).length) / counted.length) * 100);
}

export function missingOf(counted: readonly Counted[]): string[] {
  return counted.filter(({ times }) => times === 0).map(({ key }) => key);
}

function counter(keys: string[]) {
  const times = new Map(keys.map((key) => [key, 0]));
  return {
    count(key: string, more: number): void {
      const before = times.get(key);
      if (before !== undefined) times.set(key, before + more);
    },
    list: (): Counted[] => [...times].map(([key, count]) => ({ key, times: count })),
  };
}
