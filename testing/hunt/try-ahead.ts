import type { HuntedFault } from './hunted-fault.ts';

type Plan = HuntedFault[];

/** How many plans for each job are begun before their turn: one that takes long does not stop the others. */
const AHEAD = 4;

interface AheadOptions {
  /** How many are tried at once. */
  jobs: number;
  /** Whether no more are begun before their turn. */
  isOver(): boolean;
}

/**
 * Returns what tries plans and, while one is tried, those that come next. What comes of each is returned when its turn comes,
 * so that a search finds the same plan as without.
 * @param plans in the order in which they will be asked for; others, such as smaller ones, are tried when asked for
 */
export function tryAhead<T>(
  plans: readonly Plan[],
  { jobs, isOver }: AheadOptions,
  tryPlan: (plan: Plan) => Promise<T>,
): (plan: Plan) => Promise<T> {
  const begun = new Map<number, Promise<T>>();
  let turn = 0;
  let next = 0;
  let running = 0;

  function begin(): void {
    const trial = tryPlan(plans[next]!);
    begun.set(next, trial);
    next += 1;
    running += 1;
    const ended = () => {
      running -= 1;
      // Once the search knows what came of this one, which may end it.
      if (jobs > 1) setImmediate(beginNext);
    };
    // The turn of one that throws may never come.
    trial.then(ended, ended);
  }

  function beginNext(): void {
    while (running < jobs && next < Math.min(turn + AHEAD * jobs, plans.length) && !isOver()) begin();
  }

  return (plan) => {
    if (JSON.stringify(plan) !== JSON.stringify(plans[turn])) return tryPlan(plan);
    if (next === turn) begin();
    beginNext();
    const mine = begun.get(turn)!;
    begun.delete(turn);
    turn += 1;
    return mine;
  };
}
