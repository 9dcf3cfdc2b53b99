import { planOf, runOf, type ExamplePlan, type Run } from './examples/example-plan.ts';
import { createFinds, type FoundPlan } from './finds.ts';
import type { HuntedFault } from './hunted-fault.ts';
import type { HuntEnd } from './hunt-end.ts';
import { createHuntTally, type HuntCounts } from './hunt-tally.ts';
import type { Trial } from './trial.ts';
import { createPlanPool } from './plan-pool.ts';
import { smallestOf } from './smaller-plan.ts';
import { tryAhead } from './try-ahead.ts';

interface SearchLimits<T extends Trial = Trial> {
  /** Called with a plan that went wrong under faults, before the search goes on. */
  onFound?: ((found: FoundPlan<T>) => Promise<void>) | undefined;
  /** The same seed tries the same plans. */
  seed: number | string;
  /** Plans to try at most, besides those that make a plan that was found smaller. */
  plans: number;
  /** Faults of a plan at most. */
  maxFaults: number;
  /** How often a smaller plan is tried before it counts as right; 1 by default, for trials that repeat exactly. */
  repeats?: number;
  /** How many plans are tried at once; 1 by default. What is found is the same. */
  jobs?: number;
  /** Called before each plan, with the number of those that were tried. */
  onTry?: ((tried: number, isFound: boolean) => void) | undefined;
  /** Plans that are tried first. */
  examples?: readonly ExamplePlan[];
  /** Whether no others are tried, and none is made smaller. */
  isAlone?: boolean;
  /** Whether it goes on after a find, and looks for other defects; by default it ends. */
  all?: boolean | undefined;
  /** When the search ends: the plan under way is left, and not counted. */
  end: HuntEnd;
}

interface Searched<T extends Trial> {
  counts: HuntCounts;
  /** What went wrong: at most one plan, unless `all` are looked for. */
  found: readonly FoundPlan<T>[];
}

/**
 * Tries no faults at all, then plans out of what happened there and under the plans before, until one goes wrong, and makes
 * it as small as it can be. A plan that cannot be judged is counted, and the search goes on.
 * @throws what `tryPlan` throws without faults, and Error when no fault struck, unless the hunt was stopped
 */
export async function searchPlans<T extends Trial>(
  tryPlan: (plan: HuntedFault[] | undefined) => Promise<T>,
  limits: SearchLimits<T>,
): Promise<Searched<T>> {
  const { seed, plans, maxFaults, jobs = 1, onTry, end, isAlone = false, all = false, onFound } = limits;
  const tally = createHuntTally();
  const finds = createFinds<T>();
  /** Whether a plan that went wrong is made smaller. */
  let isShrinking = false;
  const right = new Set<string>();
  const isOver = () => end.over.aborted;
  const isDone = () => isOver() || (finds.list.length > 0 && !all);

  const tryOnce = async (plan: HuntedFault[], tryNext: (plan: HuntedFault[]) => Promise<T>) => {
    if (isOver()) return undefined;
    onTry?.(tally.plans, isShrinking);
    const tried = await end.within(outcomeOf(tryNext(plan)));
    if (!tried) return undefined;
    if ('thrown' in tried) {
      tally.addFailed(plan, tried.thrown);
      return undefined;
    }
    tally.add(plan, tried.trial);
    if (tried.trial.verdict === undefined) right.add(JSON.stringify(plan));
    return tried.trial;
  };

  onTry?.(0, false);
  const calm = await end.within(tryPlan(undefined));
  if (!calm) return { counts: countsOfNothing(end), found: [] };
  tally.addCalm(calm);
  if (calm.verdict !== undefined)
    return { counts: tally.counts(end, true), found: [{ plan: [], trial: calm, calm }] };

  /** Takes what came of a plan. Returns whether it went right. */
  const take = async (plan: HuntedFault[], trial: T | undefined): Promise<boolean> => {
    if (trial?.verdict === undefined) return true;
    if (finds.hasAlike({ plan, trial })) return false;
    isShrinking = true;
    const parts = { tryOnce: (smaller: HuntedFault[]) => tryOnce(smaller, tryPlan), right, isOver };
    const smallest = isAlone
      ? { plan, trial }
      : await smallestOf({ plan, trial }, { ...limits, ...parts, observed: calm.observed });
    const found = { ...smallest, calm };
    if (finds.add(found)) await onFound?.(found);
    isShrinking = isOver();
    return false;
  };
  const known = await tryExamples(limits, {
    tally,
    runUnder: (plan) => end.within(runOnce(plan, tryPlan)),
    goesOn: async (plan) => (await take(plan, await tryOnce(plan, tryPlan))) || !isDone(),
  });
  const pool = isAlone ? undefined : createPlanPool(calm, seed, maxFaults);
  const next = () => pool?.next().filter((plan) => !known.has(JSON.stringify(plan))) ?? [];
  for (let left = plans, round = isDone() ? [] : next(); left > 0 && round.length > 0; round = next()) {
    const tryNext = tryAhead(round.slice(0, left), { jobs, isOver: () => isShrinking || isDone() }, tryPlan);
    for (const plan of round.slice(0, left)) {
      if (isDone()) break;
      const trial = await tryOnce(plan, tryNext);
      if ((await take(plan, trial)) && trial) pool?.learn(plan, trial);
    }
    if (isDone()) break;
    left -= round.length;
  }
  const found = finds.list;
  const counts = tally.counts(end, found.length > 0 && !all, isShrinking);
  if (found.length === 0 && !end.isStopped) assertStruck(counts);
  return { counts, found };
}

/**
 * Returns the counts of a hunt that ended before its scenario did.
 * @throws Error unless it was stopped: nothing was tested
 */
export function countsOfNothing(end: HuntEnd): HuntCounts {
  if (end.isStopped) return createHuntTally().counts(end);
  throw new Error('hunt: the time was up before the scenario had ended without faults: give it more seconds');
}

interface ExampleParts {
  tally: Pick<ReturnType<typeof createHuntTally>, 'addStale'>;
  /** Returns what happens under a plan; undefined where that cannot be found out. */
  runUnder(plan: HuntedFault[]): Promise<Run | undefined>;
  /** Tries a plan. Returns whether the search goes on. */
  goesOn(plan: HuntedFault[]): Promise<boolean>;
}

/** Tries the examples, each once, until one ends the search. Returns the texts of the plans that they mean. */
async function tryExamples(
  { examples = [], end }: Pick<SearchLimits, 'examples' | 'end'>,
  { tally, runUnder, goesOn }: ExampleParts,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const example of examples) {
    const plan = await planOf(example, runUnder);
    if (end.over.aborted) break;
    if (!plan) tally.addStale();
    if (!plan || known.has(JSON.stringify(plan))) continue;
    known.add(JSON.stringify(plan));
    if (!(await goesOn(plan))) break;
  }
  return known;
}

/** Returns what happens under a plan; undefined where that cannot be judged. */
async function runOnce<T extends Trial>(
  plan: HuntedFault[],
  tryPlan: (plan: HuntedFault[]) => Promise<T>,
): Promise<Run | undefined> {
  const tried = await outcomeOf(tryPlan(plan));
  return 'trial' in tried ? runOf(tried.trial) : undefined;
}

type Outcome<T> = { trial: T } | { thrown: unknown };

function outcomeOf<T>(trying: Promise<T>): Promise<Outcome<T>> {
  return trying.then(
    (trial) => ({ trial }),
    (thrown: unknown) => ({ thrown }),
  );
}

/** @throws Error when no fault struck: nothing was tried then */
function assertStruck({ plans, tried, notJudged }: HuntCounts): void {
  if (tried.some(({ struck }) => struck > 0)) return;
  const [first] = notJudged;
  const why = first
    ? `no plan could be judged, the first because ${first.error}`
    : plans === 2
      ? 'the only plan of faults struck nothing'
      : `none of the ${plans - 1} plans of faults struck anything`;
  throw new Error(`hunt: ${why}`);
}
