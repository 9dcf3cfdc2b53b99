import { placeOf, type HuntedFault } from './hunted-fault.ts';
import type { Trial } from './trial.ts';

/** A plan that went wrong, and what came of it. */
export interface WrongPlan<T extends Trial> {
  plan: HuntedFault[];
  trial: T;
}

/** A plan that went wrong, as small as it can be. */
export interface FoundPlan<T extends Trial> extends WrongPlan<T> {
  /** What happens without faults. */
  calm: T;
}

/** The plans that a hunt has found, of each defect one. */
interface Finds<T extends Trial> {
  readonly list: readonly FoundPlan<T>[];
  /** Returns whether a plan goes wrong as one that was found does: in the same verdict, by faults at the same places. */
  hasAlike(wrong: WrongPlan<T>): boolean;
  /** Adds a plan, unless there is one that is alike. Returns whether it was added. */
  add(found: FoundPlan<T>): boolean;
}

/** Creates the list of what a hunt finds. */
export function createFinds<T extends Trial>(): Finds<T> {
  const list: FoundPlan<T>[] = [];
  const hasAlike = ({ plan, trial }: WrongPlan<T>) => {
    const struck = new Set(plan.map(placeOf));
    return list.some(
      (found) =>
        found.trial.verdictName === trial.verdictName &&
        found.plan.every((fault) => struck.has(placeOf(fault))),
    );
  };
  return {
    list,
    hasAlike,
    add: (found) => !hasAlike(found) && list.push(found) > 0,
  };
}
