import fc from 'fast-check';
import { CUT_POINTS } from '../../server/platform/faults/cut-points.ts';
import type { HuntedFault, Observed } from './hunted-fault.ts';

// Short for a person, longer than a client waits, longer than an action at a terminal lasts.
const DELAYS_MS = [1_000, 15_000, 120_000];
/** Occurrences of one kind of which a hunt strikes any; later ones are much the same. */
const NTH_MAX = 5;
// Nobody is told of these, so the verdicts could only judge what the shop cannot know.
export const LEFT_OUT_MESSAGES = new Set([
  'message.report machine.described',
  'message.report machine.stepped',
]);

interface ArbitraryParts {
  observed: readonly Observed[];
  /** Number of requests of the scenario; 0 where it cannot be started again. */
  restartable: number;
  maxFaults: number;
}

/** Returns what generates plans out of the faults that can strike what a scenario does; undefined when none can. */
export function planArbitrary({
  observed,
  restartable,
  maxFaults,
}: ArbitraryParts): fc.Arbitrary<HuntedFault[]> | undefined {
  // The server writes by itself too, whatever the scenario does.
  const isIdle = observed.every(({ at }) => at === 'server.commit');
  const ofServer = isIdle
    ? []
    : observed.filter(isTried).map((seen) => ({ arbitrary: faultAt(seen), weight: 1 }));
  // Each request is another place at which a process can stop.
  const weight = Math.min(restartable, NTH_MAX);
  const faults = [...ofServer, ...(weight > 0 ? [{ arbitrary: stopOf(restartable), weight }] : [])];
  if (faults.length === 0) return undefined;
  return fc.array(fc.oneof(...faults), { minLength: 1, maxLength: maxFaults });
}

function isTried({ at, message }: Observed): boolean {
  return !LEFT_OUT_MESSAGES.has(`${at} ${message}`);
}

function faultAt({ at, count, ...filter }: Observed): fc.Arbitrary<HuntedFault> {
  return fc
    .record({
      what: fc.constantFrom(...Object.keys(CUT_POINTS[at].faults)),
      // Each commit is another step of the server.
      nth: fc.integer({ min: 1, max: at === 'server.commit' ? count : Math.min(count, NTH_MAX) }),
      delayMs: fc.constantFrom(...DELAYS_MS),
    })
    .map(({ what, nth, delayMs }) => ({ at, what, delayMs, when: { ...filter, nth } }));
}

function stopOf(requests: number): fc.Arbitrary<HuntedFault> {
  return fc
    .record({
      what: fc.constantFrom('stop-before-request' as const, 'stop-before-reply' as const),
      nth: fc.integer({ min: 1, max: requests }),
    })
    .map(({ what, nth }) => ({ at: 'integrator' as const, what, when: { nth } }));
}

type Plan = HuntedFault[];

// Generating more would take longer than trying some.
const PLANS_MAX = 10_000;

/** Returns the plans that a check with this seed tries first, in their order. */
export async function plansOfSeed(
  arbitrary: fc.Arbitrary<Plan>,
  limits: { seed: number; numRuns: number },
): Promise<Plan[]> {
  const plans: Plan[] = [];
  const property = fc.asyncProperty(arbitrary, async (plan) => void plans.push(plan));
  await fc.check(property, { ...limits, numRuns: Math.min(limits.numRuns, PLANS_MAX) });
  return plans;
}

/**
 * Returns what tries plans and, while one is tried, those that come next. What comes of each is returned when its turn comes,
 * so that a search finds the same plan as without.
 * @param plans in the order in which they will be asked for; others, such as smaller ones, are tried when asked for
 * @param jobs how many are tried at once
 */
export function tryAhead<T>(
  plans: readonly Plan[],
  jobs: number,
  tryPlan: (plan: Plan) => Promise<T>,
): (plan: Plan) => Promise<T> {
  const begun = new Map<number, Promise<T>>();
  let turn = 0;

  function begin(at: number): void {
    if (begun.has(at)) return;
    const trial = tryPlan(plans[at]!);
    // Its turn may never come.
    trial.catch(() => {});
    begun.set(at, trial);
  }

  return (plan) => {
    if (JSON.stringify(plan) !== JSON.stringify(plans[turn])) return tryPlan(plan);
    for (let at = turn; at < Math.min(turn + jobs, plans.length); at += 1) begin(at);
    const mine = begun.get(turn)!;
    begun.delete(turn);
    turn += 1;
    return mine;
  };
}
