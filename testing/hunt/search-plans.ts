import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { HuntedFault } from './hunted-fault.ts';
import { createHuntTally, type HuntCounts } from './hunt-tally.ts';
import type { Trial } from './trial.ts';
import { planArbitrary, plansOfSeed, tryAhead } from './hunted-plans.ts';

interface SearchLimits {
  /** The same seed tries the same plans. */
  seed: number | string;
  /** Plans to try at most, besides those that make a plan that was found smaller. */
  plans: number;
  /** Real time to spend at most. */
  seconds: number;
  /** Faults of a plan at most. */
  maxFaults: number;
  /** How often a smaller plan is tried before it counts as right; 1 by default, for trials that repeat exactly. */
  repeats?: number;
  /** How many plans are tried at once; 1 by default. What is found is the same. */
  jobs?: number;
  /** Called before each plan, with the number of those that were tried. */
  onTry?: ((tried: number, isFound: boolean) => void) | undefined;
  /** Ends the search. */
  signal?: AbortSignal | undefined;
}

interface Searched<T> extends HuntCounts {
  /** The plan with the fewest faults that went wrong, and what came of it. */
  found?: { plan: HuntedFault[]; trial: T };
}

/**
 * Tries no faults at all, then plans out of what happened there, until one goes wrong, and makes it as small as it can be.
 * A plan that cannot be judged is counted, and the search goes on.
 * @throws the reason of `signal` when it is aborted, what `tryPlan` throws without faults, and Error when no fault struck
 */
export async function searchPlans<T extends Trial>(
  tryPlan: (plan: HuntedFault[] | undefined) => Promise<T>,
  { seed, plans, seconds, maxFaults, repeats = 1, jobs = 1, onTry, signal }: SearchLimits,
): Promise<Searched<T>> {
  const tally = createHuntTally();
  /** The latest plan that went wrong: shrinking goes on from it. */
  let wrong: { plan: HuntedFault[]; trial: T } | undefined;

  let tryNext: (plan: HuntedFault[]) => Promise<T> = tryPlan;
  const isRight = async (plan: HuntedFault[]) => {
    for (let left = wrong ? repeats : 1; left > 0; left -= 1) {
      if (signal?.aborted) return true;
      onTry?.(tally.plans, wrong !== undefined);
      const trial = await tryNext(plan).catch((thrown: unknown) => tally.addFailed(plan, thrown));
      // fast-check would take what is thrown for a plan that went wrong.
      if (!trial) return true;
      tally.add(plan, trial);
      if (trial.verdict === undefined) continue;
      wrong = { plan, trial };
      return false;
    }
    return true;
  };

  onTry?.(0, false);
  const calm = await tryPlan(undefined);
  tally.addCalm(calm);
  if (calm.verdict !== undefined) return { ...tally.counts(), found: { plan: [], trial: calm } };
  const arbitrary = planArbitrary({ ...calm, maxFaults });
  if (!arbitrary)
    throw new Error('hunt: the scenario did nothing that a fault could strike: did it call the API?');
  const property = fc.asyncProperty(arbitrary, isRight);
  const limits = { seed: numberOf(seed), numRuns: plans };
  if (jobs > 1) tryNext = tryAhead(await plansOfSeed(arbitrary, limits), jobs, tryPlan);
  const { failed } = await fc.check(property, { ...limits, interruptAfterTimeLimit: seconds * 1000 });
  if (failed && wrong) await leaveOutNeedless(wrong.plan, isRight);
  signal?.throwIfAborted();
  const counts = tally.counts();
  if (wrong) return { ...counts, found: wrong };
  assertStruck(counts);
  return counts;
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

/** Leaves out each fault without which a plan goes wrong too: fast-check tries only shorter beginnings and ends. */
async function leaveOutNeedless(
  plan: HuntedFault[],
  isRight: (plan: HuntedFault[]) => Promise<boolean>,
): Promise<void> {
  for (const fault of plan) {
    const others = plan.filter((other) => other !== fault);
    if (others.length > 0 && !(await isRight(others))) return leaveOutNeedless(others, isRight);
  }
}

/** fast-check takes a whole number of 32 bits. A number and its text, as in a command line, are the same seed. */
function numberOf(seed: number | string): number {
  return createHash('sha256').update(String(seed)).digest().readInt32BE();
}
