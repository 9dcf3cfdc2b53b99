import type { FaultPlans } from '../platform/faults/fault-plans.ts';
import type { CutPointName, FaultAt } from '../platform/faults/cut-points.ts';
import type { Occurrence } from '../platform/faults/fault-rule.ts';
import type { Transaction } from '../platform/store/store.ts';

type BankPoint = Extract<CutPointName, `bank.${string}`>;

/**
 * Returns whether a fault strikes what a bank is about to do. It is counted once, also when the engine runs the
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

/** Returns what a cardholder does who is about to approve a payment that 3-D Secure asks for; undefined for the approval. */
export function strikeChallenge(
  { faults }: { faults: FaultPlans | undefined },
  sessionId: string,
): FaultAt<'cardholder.challenge'> | undefined {
  const at = 'cardholder.challenge';
  const strike = faults?.awaits(at) ? faults.strike({ at, ids: [sessionId] }) : undefined;
  if (!strike) return undefined;
  return strike.what === 'leaves' ? 'leaves' : 'refuses';
}
