import { planOf, runOf, type ExamplePlan, type Run } from './examples/example-plan.ts';
import type { HuntedFault } from './hunted-fault.ts';
import type { HuntEnd } from './hunt-end.ts';
import { createHuntTally, type HuntCounts } from './hunt-tally.ts';
import type { Trial } from './trial.ts';
import { createPlanPool } from './plan-pool.ts';
import { makeSmaller } from './smaller-plan.ts';
import { tryAhead } from './try-ahead.ts';

interface SearchLimits {
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
  /** When the search ends: the plan under way is left, and not counted. */
  end: HuntEnd;
}

/** The plan with the fewest faults that went wrong, and what came of it. */
export interface FoundPlan<T extends Trial> {
  plan: HuntedFault[];
  trial: T;
  /** What happens without faults. */
  calm: T;
}

interface Searched<T extends Trial> {
  counts: HuntCounts;
  found?: FoundPlan<T>;
}

/**
 * Tries no faults at all, then plans out of what happened there and under the plans before, until one goes wrong, and makes
 * it as small as it can be. A plan that cannot be judged is counted, and the search goes on.
 * @throws what `tryPlan` throws without faults, and Error when no fault struck, unless the hunt was stopped
 */
export async function searchPlans<T extends Trial>(
  tryPlan: (plan: HuntedFault[] | undefined) => Promise<T>,
  limits: SearchLimits,
): Promise<Searched<T>> {
  const { seed, plans, maxFaults, repeats = 1, jobs = 1, onTry, end, isAlone = false } = limits;
  const tally = createHuntTally();
  const right = new Set<string>();
  /** The latest plan that went wrong: it is made smaller. */
  let wrong: { plan: HuntedFault[]; trial: T } | undefined;
  const isOver = () => end.over.aborted;

  const tryOnce = async (plan: HuntedFault[], tryNext: (plan: HuntedFault[]) => Promise<T>) => {
    if (isOver()) return undefined;
    onTry?.(tally.plans, wrong !== undefined);
    const tried = await end.within(outcomeOf(tryNext(plan)));
    if (!tried) return undefined;
    if ('thrown' in tried) return tally.addFailed(plan, tried.thrown);
    const { trial } = tried;
    tally.add(plan, trial);
    if (trial.verdict === undefined) right.add(JSON.stringify(plan));
    else wrong = { plan, trial };
    return trial;
  };
  const isWrong = async (plan: HuntedFault[]) => {
    // A trial that repeats exactly says the same again.
    if (repeats === 1 && right.has(JSON.stringify(plan))) return false;
    for (let left = repeats; left > 0; left -= jobs) {
      const times = Array.from({ length: Math.min(left, jobs) }, () => tryOnce(plan, tryPlan));
      if ((await Promise.all(times)).some((trial) => trial?.verdict !== undefined)) return true;
    }
    return false;
  };

  onTry?.(0, false);
  const calm = await end.within(tryPlan(undefined));
  if (!calm) return { counts: countsOfNothing(end) };
  tally.addCalm(calm);
  if (calm.verdict !== undefined)
    return { counts: tally.counts(end), found: { plan: [], trial: calm, calm } };
  const known = await tryExamples(limits, {
    tally,
    runUnder: (plan) => end.within(runOnce(plan, tryPlan)),
    isRight: async (plan) => (await tryOnce(plan, tryPlan), wrong === undefined),
  });
  const pool = isAlone ? undefined : createPlanPool(calm, seed, maxFaults);
  const next = () => pool?.next().filter((plan) => !known.has(JSON.stringify(plan))) ?? [];
  for (let left = plans, round = wrong ? [] : next(); left > 0 && round.length > 0; round = next()) {
    const ahead = { jobs, isOver: () => wrong !== undefined || isOver() };
    const tryNext = tryAhead(round.slice(0, left), ahead, tryPlan);
    for (const plan of round.slice(0, left)) {
      if (wrong || isOver()) break;
      const trial = await tryOnce(plan, tryNext);
      if (trial) pool?.learn(plan, trial);
    }
    if (wrong || isOver()) break;
    left -= round.length;
  }
  if (wrong && !isAlone) await makeSmaller(wrong.plan, { isWrong, isOver, observed: calm.observed });
  const counts = tally.counts(end, wrong !== undefined);
  if (wrong) return { counts, found: { ...wrong, calm } };
  if (!end.isStopped) assertStruck(counts);
  return { counts };
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
  /** Tries a plan. Returns whether nothing went wrong. */
  isRight(plan: HuntedFault[]): Promise<boolean>;
}

/** Tries the examples, each once, until one goes wrong. Returns the texts of the plans that they mean. */
async function tryExamples(
  { examples = [], end }: Pick<SearchLimits, 'examples' | 'end'>,
  { tally, runUnder, isRight }: ExampleParts,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const example of examples) {
    const plan = await planOf(example, runUnder);
    if (end.over.aborted) break;
    if (!plan) tally.addStale();
    if (!plan || known.has(JSON.stringify(plan))) continue;
    known.add(JSON.stringify(plan));
    if (!(await isRight(plan))) break;
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
    : `none of the ${plans - 1} plans of faults struck anything`;
  throw new Error(`hunt: ${why}`);
}
