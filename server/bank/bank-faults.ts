import type { FaultPlans } from '../platform/faults/fault-plans.ts';
import type { CutPointName } from '../platform/faults/cut-points.ts';
import type { Occurrence } from '../platform/faults/fault-rule.ts';
import type { Transaction } from '../platform/store/store.ts';

type BankPoint = Extract<CutPointName, `bank.${string}`>;

/**
 * Returns whether a fault strikes what a bank is about to do well. It is counted once, also when the engine runs the
 * transaction again.
 */
export function bankFails(
  tx: Transaction,
  { faults }: { faults: FaultPlans | undefined },
  occurrence: Occurrence & { at: BankPoint },
): boolean {
  if (!faults) return false;
  const { at, operation, ids } = occurrence;
  return tx.decideOnce(
    JSON.stringify([at, operation, ids]),
    () => faults.awaits(at) && faults.strike(occurrence) !== undefined,
  );
}
