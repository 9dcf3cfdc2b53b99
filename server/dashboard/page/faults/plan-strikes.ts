import type { FaultPlan, FaultStrike } from '../../view.ts';

/** A strike with the plan that it is of. */
export interface PlanStrike extends FaultStrike {
  planId: string;
}

/** Returns what struck, of all plans. */
export function strikesOf(plans: readonly FaultPlan[] = []): PlanStrike[] {
  return plans.flatMap(({ id: planId, strikes }) => strikes.map((strike) => ({ ...strike, planId })));
}

/** Returns the strikes that concern all of some ids. */
export function strikesOn(strikes: readonly PlanStrike[], ids: readonly string[]): PlanStrike[] {
  return strikes.filter((strike) => ids.every((id) => strike.ids.includes(id)));
}
