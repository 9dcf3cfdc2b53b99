import type { HuntedFault } from './hunted-fault.ts';

type Plan = HuntedFault[];

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
