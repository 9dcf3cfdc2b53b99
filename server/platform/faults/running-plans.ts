import { parseJson } from '../store/json-text.ts';
import type { Context } from '../context.ts';
import type { CutPointName } from './cut-points.ts';
import { allFaultPlans, countsOf, type FaultPlanRow } from './fault-plan.records.ts';
import type { PlannedFault } from './fault-plan.schema.ts';
import { canStrike, isMeant, killsServer, strikesNow, type Count, type Occurrence } from './fault-rule.ts';
import type { KillTimes } from './kill-times.ts';

/** A plan whose faults are counted. */
interface RunningPlan {
  id: string;
  seed: string;
  faults: readonly PlannedFault[];
  counts: Count[];
  /** Whether it was stored before the server started. */
  isOfEarlierStart: boolean;
  /** Whether something was counted that is not stored yet. */
  hasNewCounts: boolean;
}

/** A fault that struck an occurrence. */
export interface StruckFault {
  planId: string;
  /** Its index in the plan. */
  index: number;
  fault: PlannedFault;
  /** Number of the occurrence. */
  occurrence: number;
}

export type RunningPlans = ReturnType<typeof createRunningPlans>;

/** Creates the plans of a sandbox as they run: what they wait for, and how often each fault struck. */
export function createRunningPlans(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  kills: Pick<KillTimes, 'allows'>,
) {
  let plans: RunningPlan[] = [];
  let awaited: ReadonlySet<CutPointName> = new Set();
  let isFirstRefresh = true;

  const remaining = ({ faults, counts }: RunningPlan) =>
    faults.filter((fault, index) => canStrike(fault, counts[index]!, clock.nowMs()));
  const updateAwaited = () => {
    awaited = new Set(plans.flatMap(remaining).map(({ at }) => at));
  };

  const start = async (row: FaultPlanRow): Promise<RunningPlan> => {
    const { id, seed, faults } = row;
    const counts = await countsOf(store, row);
    const isOfEarlierStart = isFirstRefresh;
    return { id, seed, faults: parseJson(faults), counts, isOfEarlierStart, hasNewCounts: false };
  };

  return {
    /** Reads the stored plans. Those that run already keep their counts. */
    async refresh(): Promise<void> {
      const rows = await allFaultPlans(store);
      const known = new Map(plans.map((plan) => [plan.id, plan]));
      plans = await Promise.all(rows.map(async (row) => known.get(row.id) ?? start(row)));
      isFirstRefresh = false;
      updateAwaited();
    },
    /** Forgets the plans, as after a reset. */
    clear(): void {
      plans = [];
      updateAwaited();
    },
    hasNewCounts: () => plans.some((plan) => plan.hasNewCounts),
    /** Returns how often each fault was seen, of the plans for which that is not stored yet; it then counts as stored. */
    takeNewCounts(): { planId: string; seen: number[] }[] {
      const changed = plans.filter((plan) => plan.hasNewCounts);
      for (const plan of changed) plan.hasNewCounts = false;
      return changed.map(({ id: planId, counts }) => ({ planId, seen: counts.map(({ seen }) => seen) }));
    },
    /** Lets the counts of these plans count as not stored again. */
    putBackCounts(taken: readonly { planId: string }[]): void {
      for (const plan of plans) plan.hasNewCounts ||= taken.some(({ planId }) => planId === plan.id);
    },
    awaits: (at: CutPointName) => awaited.has(at),
    isActive: (id: string) => plans.some((plan) => plan.id === id && remaining(plan).length > 0),
    /** Returns the faults that have struck nothing, of the plans that are not deleted. */
    unstruck: () =>
      plans.flatMap(({ faults, counts }) => faults.filter((_, index) => counts[index]!.struck === 0)),
    /**
     * Counts an occurrence, and returns the first fault that strikes it. One that may not kill yet does not count it.
     * @param mayStrike false where a fault of another place has struck it already: it only counts
     */
    strike(occurrence: Occurrence, mayStrike = true): StruckFault | undefined {
      const nowMs = clock.nowMs();
      let struck: StruckFault | undefined;
      let hasEnded = false;
      for (const plan of plans) {
        const { id: planId, seed, faults, counts } = plan;
        for (const [index, fault] of faults.entries()) {
          const count = counts[index]!;
          if (!isMeant(fault, occurrence)) continue;
          if (killsServer(fault) && !kills.allows(plan)) continue;
          count.seen += 1;
          plan.hasNewCounts = true;
          if (fault.when?.forMs !== undefined && !canStrike(fault, count, nowMs)) hasEnded = true;
          if (struck || !mayStrike || !strikesNow(fault, count, `${seed} ${index}`, nowMs)) continue;
          count.struck += 1;
          count.sinceMs ??= nowMs;
          struck = { planId, index, fault, occurrence: count.seen };
        }
      }
      if (struck || hasEnded) updateAwaited();
      return struck;
    },
  };
}
