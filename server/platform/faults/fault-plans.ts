import { messageOf } from '../../../protocol/failures.ts';
import type { Clock } from '../../../protocol/clock.ts';
import { DEFAULT_SANDBOX } from '../../../protocol/topics.ts';
import type { Context } from '../context.ts';
import type { Activities } from '../activities.ts';
import type { ServerSettings } from '../settings.ts';
import type { CutPointName } from './cut-points.ts';
import { DEFAULT_DELAY_MS } from './fault-members.ts';
import {
  countFaultPlans,
  deleteFaultPlan,
  insertFaultPlan,
  type NewFaultPlan,
} from './fault-plan.records.ts';
import type { PlannedFault } from './fault-plan.schema.ts';
import { faultLine } from './fault-words.ts';
import type { Occurrence } from './fault-rule.ts';
import { createEventsAtOnce, type EventsAtOnce } from './events-at-once.ts';
import { createKillTimes, type KillTimes } from './kill-times.ts';
import { createRecoveries, type Recoveries, type Taken } from './recoveries.ts';
import { createRunningPlans } from './running-plans.ts';
import { createStrikeLog } from './strike-log.ts';
import { createTimers, type Timers } from './timers.ts';

const REFRESH_MS = 1_000;

/** What a fault does to an occurrence: `what` is one of those of its place (cut-points.ts). */
export interface Strike {
  what: string;
  delayMs: number;
  planId: string;
}

/** The plans of faults of a sandbox. They are stored: a restart, a fork and a snapshot keep them. */
export interface FaultPlans extends Timers, EventsAtOnce, Pick<Recoveries, 'giveBackLater' | 'isTaken'> {
  /**
   * Reads the stored plans, and what faults took that was not given back. With a shared store, also the plans of other
   * servers, each second from now on.
   */
  start(shared: boolean): Promise<void>;
  /** Whether the server ignores plans: nothing strikes, and plans can only be read and deleted. */
  readonly areIgnored: boolean;
  /** Lets plans kill the server from now on. Until then none can. */
  admitKills: KillTimes['admit'];
  /** Whether a fault can still strike at a place: asked often, and answered at once. */
  awaits(at: CutPointName): boolean;
  /**
   * Returns the fault that strikes an occurrence, which is logged and stored; undefined for none.
   * @param requestId the id that the struck request is stored with
   */
  strike(occurrence: Occurrence, requestId?: string): Strike | undefined;
  /** Counts an occurrence that a fault of another place has struck. */
  count(occurrence: Occurrence): void;
  create(plan: NewFaultPlan): Promise<string>;
  remove(id: string): Promise<void>;
  /** Forgets the plans, and what faults took from terminals, which a reset has deleted. */
  clear(): void;
  /** Whether the faults of a plan can still strike. */
  isActive(id: string): boolean;
  /** Returns the faults that have struck nothing, of the plans that are not deleted. */
  unstruck(): PlannedFault[];
  /** Resolves once each strike until now is stored. */
  stored(): Promise<void>;
  /**
   * Stores how often each fault was seen until now, and what terminals are given back when, so that a copy of the store or
   * another start goes on from there: it is also stored with each strike and before a stop.
   * @returns whether they are stored, and each strike with them
   */
  storeCounts(): Promise<boolean>;
  idle(): boolean;
  stop(): Promise<void>;
}

interface Parts extends Pick<Context, 'clock' | 'store' | 'log'> {
  settings: ServerSettings;
  realClock: Clock;
  activities: Activities;
  /** Gives a terminal back what a fault took. */
  giveBack(terminalId: string, what: Taken): void;
}

/** How long a fault lasts, where it takes time. */
export const delayOf = ({ delayMs = DEFAULT_DELAY_MS }: PlannedFault): number => delayMs;

/** Creates the plans of a sandbox. */
export function createFaultPlans(parts: Parts): FaultPlans {
  const { settings, clock, realClock, store } = parts;
  const areIgnored = settings.faults === 'off';
  const { stop: stopTimers, ...timers } = createTimers(realClock);
  const { clear: clearEvents, idle: eventsIdle, heldEvents, ...events } = createEventsAtOnce();
  const kills = createKillTimes(timers);
  const plans = createRunningPlans(parts, kills);
  const recoveries = createRecoveries({ ...parts, onChange: () => strikes.store() });
  const strikes = createStrikeLog({ ...parts, plans, recoveries, timers });

  function refreshAgain(): void {
    timers.later(REFRESH_MS, () => {
      void plans.refresh().catch(warnOfUnread(parts)).then(refreshAgain);
    });
  }

  return {
    ...timers,
    ...events,
    heldBack: () => [...timers.heldBack(), ...recoveries.heldBack(), ...heldEvents()],
    areIgnored,
    admitKills: kills.admit,
    giveBackLater: recoveries.giveBackLater,
    isTaken: recoveries.isTaken,
    async start(shared) {
      if (areIgnored) await warnOfIgnored(parts);
      else await plans.refresh();
      if (shared && !areIgnored) refreshAgain();
      // Last: what is overdue goes to the terminals at once.
      await recoveries.start();
    },
    awaits: plans.awaits,
    strike(occurrence, requestId) {
      const struck = plans.awaits(occurrence.at) ? plans.strike(occurrence) : undefined;
      if (!struck) return undefined;
      strikes.add(struck, occurrence, requestId);
      return { what: struck.fault.what, delayMs: delayOf(struck.fault), planId: struck.planId };
    },
    count: (occurrence) => void plans.strike(occurrence, false),
    async create(plan) {
      const id = await store.transaction((tx) => insertFaultPlan(tx, plan, clock.nowMs()), {
        serializable: 'faults',
      });
      await plans.refresh();
      const faults = plan.faults.map(faultLine);
      parts.activities.emit({ kind: 'fault.planned', planId: id, title: plan.title ?? '', faults });
      return id;
    },
    async remove(id) {
      await strikes.stored();
      await store.transaction((tx) => deleteFaultPlan(tx, id), { serializable: 'faults' });
      if (!areIgnored) await plans.refresh();
      timers.releaseHeldBy(id);
    },
    clear() {
      plans.clear();
      clearEvents();
      recoveries.clear();
      timers.forgetLost();
      timers.releaseHeldBy();
    },
    isActive: plans.isActive,
    unstruck: plans.unstruck,
    stored: strikes.stored,
    storeCounts: strikes.storeCounts,
    idle: () => strikes.idle() && eventsIdle(),
    async stop() {
      stopTimers();
      recoveries.stop();
      await strikes.storeCounts();
    },
  };
}

const warnOfUnread =
  ({ log }: Parts) =>
  (thrown: unknown): void =>
    log.warn({ reason: messageOf(thrown) }, 'plans of faults were not read');

async function warnOfIgnored({ settings, store, log }: Parts): Promise<void> {
  const plans = await countFaultPlans(store);
  const { sandbox = DEFAULT_SANDBOX } = settings;
  if (plans > 0) log.warn({ sandbox, plans }, 'plans of faults are ignored: FAULTS is off');
}
