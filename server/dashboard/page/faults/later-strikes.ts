import type { FaultPlan } from '../../view.ts';

/** Strikes of a plan that the page keeps, and that it reads at once. */
export const KEPT_STRIKES = 1_000;

/** Returns the path that reads the plans with what struck after what is known; all that is listed while nothing is. */
export function laterStrikesPath(known: readonly FaultPlan[] | undefined): string {
  const path = `/sandbox/faults?strikes=${KEPT_STRIKES}`;
  if (!known) return path;
  const numbers = known.flatMap(({ strikes }) => strikes.map(({ number }) => number));
  return `${path}&strikesAfter=${numbers.reduce((a, b) => Math.max(a, b), 0)}`;
}

/** Adds the strikes that are known to plans that were read with what struck after those. */
export function withLaterStrikes(
  known: readonly FaultPlan[] | undefined,
  read: readonly FaultPlan[],
): { plans: readonly FaultPlan[]; hasMore: boolean } {
  const before = new Map(known?.map(({ id, strikes }) => [id, strikes]));
  const plans = read.map((plan) => ({
    ...plan,
    strikes: [...(before.get(plan.id) ?? []), ...plan.strikes].slice(-KEPT_STRIKES),
  }));
  const later = read.reduce((sum, { strikes }) => sum + strikes.length, 0);
  return { plans, hasMore: known !== undefined && later === KEPT_STRIKES };
}
