import { maskCardNumbers } from '../../../protocol/card-numbers.ts';
import { messageOf } from '../../../protocol/failures.ts';
import type { Context } from '../context.ts';
import type { Activities } from '../activities.ts';
import { jsonText } from '../store/json-text.ts';
import { insertFaultStrike, saveSeen, type FaultStrikeRow } from './fault-plan.records.ts';
import type { Occurrence } from './fault-rule.ts';
import type { Recoveries } from './recoveries.ts';
import type { RunningPlans, StruckFault } from './running-plans.ts';
import type { Timers } from './timers.ts';

/** Pauses before what a failed write left is written again, real time: each is twice the one before. */
const RETRY_MS = { first: 1_000, longest: 60_000 };

/** Emits each fault that struck, in the log and to the listeners of activities, and stores it. */
interface StrikeLog {
  /** @param requestId the id that the struck request is stored with */
  add(fault: StruckFault, struck: Occurrence, requestId?: string): void;
  /** Stores what is not stored yet, soon. */
  store(): void;
  /** Resolves once each strike until now is stored. */
  stored(): Promise<void>;
  /**
   * Stores how often each fault was seen and struck until now, and when terminals are given back what faults took. Returns
   * whether that is stored.
   */
  storeCounts(): Promise<boolean>;
  idle(): boolean;
}

interface StrikeLogParts extends Pick<Context, 'clock' | 'store' | 'log'> {
  activities: Activities;
  plans: RunningPlans;
  recoveries: Recoveries;
  timers: Pick<Timers, 'later'>;
}

/**
 * Creates the log of what struck. A write has all strikes that wait for it, and with them the counts of the plans and what
 * was taken from terminals. The strikes of a write that failed are lost; counts and what was taken are written again.
 */
export function createStrikeLog(parts: StrikeLogParts): StrikeLog {
  const { clock, log, activities, plans, recoveries, timers } = parts;
  let waiting: FaultStrikeRow[] = [];
  let countsWanted = false;
  let writing: Promise<boolean> | undefined;
  let retryMs = RETRY_MS.first;
  let isRetrying = false;

  function writeLater(): void {
    if (isRetrying) return;
    isRetrying = true;
    timers.later(retryMs, () => {
      isRetrying = false;
      countsWanted = plans.hasNewCounts();
      writing ??= writeWaiting();
    });
    retryMs = Math.min(retryMs * 2, RETRY_MS.longest);
  }

  /** Returns whether all is stored. */
  async function writeWaiting(): Promise<boolean> {
    let isStored = true;
    // What a strike takes from its terminal is noted right after it.
    await Promise.resolve();
    while (isStored && (waiting.length > 0 || countsWanted || recoveries.hasChanges())) {
      const strikes = waiting;
      waiting = [];
      countsWanted = false;
      isStored = await write(parts, strikes);
    }
    if (isStored) retryMs = RETRY_MS.first;
    else writeLater();
    writing = undefined;
    return isStored;
  }

  async function storeCounts(): Promise<boolean> {
    recoveries.refresh();
    countsWanted = plans.hasNewCounts();
    if (countsWanted || recoveries.hasChanges()) writing ??= writeWaiting();
    return (await writing) ?? true;
  }

  return {
    add({ planId, index, fault, occurrence }, struck, requestId) {
      const { at, what } = fault;
      const { operation, message, state, effect, eventType } = struck;
      // In the path of a request a caller can put anything.
      const ids = struck.ids.map((id) => maskCardNumbers(id, 'likely'));
      const subject = operation ?? message ?? state ?? effect ?? eventType ?? at;
      log.info({ plan: planId, at, fault: what, subject }, 'a fault struck');
      activities.emit({ kind: 'fault.struck', planId, at, what, subject, ids });
      waiting.push({
        plan_id: planId,
        fault: index,
        occurrence,
        at_ms: clock.nowMs(),
        what,
        subject,
        // An id of the log is no id of the sandbox: a replay has others, or none.
        ids: jsonText(requestId === undefined ? ids : [...ids, requestId]),
      });
      writing ??= writeWaiting();
    },
    store() {
      writing ??= writeWaiting();
    },
    async stored() {
      await writing;
    },
    storeCounts,
    idle: () => writing === undefined,
  };
}

/** Stores strikes with all counts and all that was taken. Returns whether they are stored. */
async function write(
  { store, log, plans, recoveries }: StrikeLogParts,
  strikes: readonly FaultStrikeRow[],
): Promise<boolean> {
  const counts = plans.takeNewCounts();
  const taken = recoveries.takeChanges();
  try {
    await store.transaction(
      async (tx) => {
        for (const strike of strikes) await insertFaultStrike(tx, strike);
        for (const { planId, seen } of counts) await saveSeen(tx, planId, seen);
        await taken.save(tx);
      },
      { serializable: 'faults' },
    );
    return true;
  } catch (thrown) {
    plans.putBackCounts(counts);
    taken.putBack();
    log.warn({ reason: messageOf(thrown) }, 'faults that struck are not stored');
    return false;
  }
}
