import type { PlannedFault } from '../../server/platform/faults/fault-plan.schema.ts';
import type { HuntedFault, IntegratorFault, Observed } from './hunted-fault.ts';
import type { WrongPlan } from './finds.ts';
import { isOutage, narrowed } from './outages.ts';
import { DELAYS_MS, DOWN_MS } from './single-faults.ts';
import type { Trial } from './trial.ts';

/** What says how long an outage lasts, in steps: as short as it can be, `unit` is left. */
const LENGTHS = [
  { name: 'times', unit: 1 },
  { name: 'forMs', unit: 1_000 },
] as const;

interface SmallestParts<T> {
  /** How often a smaller plan is tried before it counts as right; 1 by default, for trials that repeat exactly. */
  repeats?: number;
  /** How many are tried at once; 1 by default. */
  jobs?: number;
  /** Tries a plan; undefined where that cannot be judged, or the hunt is over. */
  tryOnce(plan: HuntedFault[]): Promise<T | undefined>;
  /** The texts of the plans that went right. */
  right: ReadonlySet<string>;
  isOver(): boolean;
  observed: readonly Observed[];
}

/** Makes a plan that went wrong smaller. Returns the smallest that went wrong too, with what came of it. */
export async function smallestOf<T extends Trial>(
  found: WrongPlan<T>,
  { tryOnce, right, isOver, observed, repeats = 1, jobs = 1 }: SmallestParts<T>,
): Promise<WrongPlan<T>> {
  let smallest = found;
  const isWrong = async (plan: HuntedFault[]) => {
    // A trial that repeats exactly says the same again.
    if (repeats === 1 && right.has(JSON.stringify(plan))) return false;
    for (let left = repeats; left > 0; left -= jobs) {
      const times = Array.from({ length: Math.min(left, jobs) }, () => tryOnce(plan));
      const wrong = (await Promise.all(times)).findLast((trial) => trial?.verdict !== undefined);
      if (!wrong) continue;
      smallest = { plan, trial: wrong };
      return true;
    }
    return false;
  };
  await makeSmaller(found.plan, { isWrong, isOver, observed });
  return smallest;
}

interface SmallerParts {
  /** Tries a plan, and resolves with whether it goes wrong. */
  isWrong(plan: HuntedFault[]): Promise<boolean>;
  /** Whether the hunt is over: no plan is tried any more then. */
  isOver(): boolean;
  /** What happens without faults. */
  observed: readonly Observed[];
}

/**
 * Makes a plan that goes wrong smaller: leaves out each fault without which it goes wrong too, then strikes less, earlier,
 * and for a shorter time.
 */
export async function makeSmaller(plan: readonly HuntedFault[], parts: SmallerParts): Promise<void> {
  const { isWrong, isOver, observed } = parts;
  const smaller = plan.flatMap((fault) => {
    const others = plan.filter((other) => other !== fault);
    return others.length > 0 ? [others] : [];
  });
  for (const others of smaller) if (await isWrong(others)) return makeSmaller(others, parts);
  for (const [index, fault] of plan.entries())
    for (const lesser of [...narrowed(fault, observed), ...lesserFaults(fault)]) {
      if (isOver()) return;
      const changed = plan.with(index, lesser);
      if (await isWrong(changed)) return makeSmaller(changed, parts);
    }
  await shortenOutages(plan, parts);
}

/** Returns the same fault once in place of an outage, at the first occurrence or an earlier one, and for a shorter time. */
function lesserFaults(fault: HuntedFault): HuntedFault[] {
  const { nth = 1 } = fault.when ?? {};
  const earlier = [...new Set([1, Math.ceil(nth / 2), nth - 1])].filter((each) => each >= 1 && each < nth);
  if (fault.at === 'integrator')
    return [...lessDown(fault), ...earlier.map((each) => ({ ...fault, when: { nth: each } }))];
  const lesser = earlier.map((each) => ({ ...fault, when: { ...fault.when, nth: each } }));
  const { delayMs = 0 } = fault;
  const shorter = DELAYS_MS.filter((each) => each < delayMs).map((each) => ({ ...fault, delayMs: each }));
  return [...lessOften(fault), ...shorter, ...lesser];
}

/** Returns a stop of a process that starts again at once, and earlier. */
function lessDown({ downMs = 0, ...atOnce }: IntegratorFault): HuntedFault[] {
  if (downMs === 0) return [];
  return [atOnce, ...DOWN_MS.filter((each) => each < downMs).map((each) => ({ ...atOnce, downMs: each }))];
}

/** Returns an outage as one strike, and with fewer limits. */
function lessOften(fault: PlannedFault): HuntedFault[] {
  if (!isOutage(fault)) return [];
  const { times, forMs, percent, ...once } = fault.when!;
  const { forMs: _forMs, ...counted } = fault.when!;
  const { percent: _percent, ...always } = fault.when!;
  return [
    { ...fault, when: once },
    ...(times === undefined || forMs === undefined ? [] : [{ ...fault, when: counted }]),
    ...(percent === undefined ? [] : [{ ...fault, when: always }]),
  ];
}

/** Makes each outage of a plan as short as it can be, as though a longer one went wrong too. */
async function shortenOutages(
  plan: readonly HuntedFault[],
  { isWrong, isOver }: SmallerParts,
): Promise<void> {
  let shortest = plan;
  for (const [index, fault] of plan.entries()) {
    if (fault.at === 'integrator') continue;
    let when = fault.when ?? {};
    for (const { name, unit } of LENGTHS) {
      let right = 0;
      for (let wrong = when[name] ?? 0; wrong - right > unit && !isOver();) {
        const between = right + Math.ceil((wrong - right) / 2 / unit) * unit;
        const shorter = { ...when, [name]: between };
        const changed = shortest.with(index, { ...fault, when: shorter });
        if (await isWrong(changed)) [shortest, when, wrong] = [changed, shorter, between];
        else right = between;
      }
    }
  }
}
