import type { FaultPlans } from '../../server/platform/faults/fault-plans.ts';
import type { Occurrence } from '../../server/platform/faults/fault-rule.ts';

/** Something that happens in a scenario without faults, where one could strike, and how often it happens. */
export interface Observed extends Omit<Occurrence, 'ids'> {
  count: number;
}

/**
 * Watches where faults could strike, in place of plans. Returns what happened so far, in the order in which each happened
 * first.
 */
export function observeOccurrences(faults: FaultPlans): () => Observed[] {
  const seen = new Map<string, Observed>();
  faults.awaits = () => true;
  faults.strike = ({ ids: _ids, attempt: _attempt, ...occurrence }) => {
    const key = JSON.stringify(occurrence);
    const known = seen.get(key);
    if (known) known.count += 1;
    else seen.set(key, { ...occurrence, count: 1 });
    return undefined;
  };
  return () => [...seen.values()];
}
