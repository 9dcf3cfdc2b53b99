import type { FaultPlans } from '../platform/faults/fault-plans.ts';
import type { CutPointName } from '../platform/faults/cut-points.ts';
import type { Occurrence } from '../platform/faults/fault-rule.ts';

type BankPoint = Extract<CutPointName, `bank.${string}`>;

/** Returns whether a fault strikes what a bank is about to do well. */
export function bankFails(
  { faults }: { faults: FaultPlans | undefined },
  occurrence: Occurrence & { at: BankPoint },
): boolean {
  if (!faults?.awaits(occurrence.at)) return false;
  return faults.strike(occurrence) !== undefined;
}
