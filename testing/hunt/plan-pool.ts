import { entriesOf } from '../../protocol/tables.ts';
import { fraction, seededRandom, type Random } from '../../protocol/ids.ts';
import { boundaryDelays, boundaryStops } from './boundaries.ts';
import { isSeenByShop, nameOf, placeOf, type HuntedFault } from './hunted-fault.ts';
import { isOutage, outagesOfAll } from './outages.ts';
import { chosen, faultGroups, inTurn, isAsLongAsMost, mixed, stopGroups } from './single-faults.ts';
import { recoveryFaults, recoveryStops } from './recovery-faults.ts';
import type { Trial } from './trial.ts';

type Plan = HuntedFault[];

/** Plans of a round after the first: what they reach is struck in later rounds. */
const ROUND = 64;
/** How often a plan is drawn again that was tried already. */
const DRAWS_MAX = 50;

/** The plans of a hunt. */
interface PlanPool {
  /** Returns the plans to try next, none of them a second time; none when there are no more. */
  next(): Plan[];
  /** Takes in what happened under a plan and does not happen without faults: later plans strike it too. */
  learn(plan: Plan, trial: Trial): void;
}

/**
 * Creates the plans of a hunt: first each fault alone that can strike what happens without faults, outages among them. Then
 * in turn plans that reached something new or started a process again, each with a fault there, delays and downtime that end where a timer does, and several
 * faults that are drawn from all. On real time, those at places that the shop sees come first.
 * @param maxFaults faults of a plan at most
 * @throws Error when no fault could strike anything
 */
export function createPlanPool(calm: Trial, seed: number | string, maxFaults: number): PlanPool {
  const random = seededRandom(`plans of ${seed}`);
  const known = new Map((calm.happened ?? calm.observed).map((each) => [nameOf(each), each.count]));
  const requests = calm.restartable;
  const groups = groupsOf(calm);
  // The server writes by itself too, whatever the scenario does.
  if (groups.length === 0 || (requests === 0 && calm.observed.every(({ at }) => at === 'server.commit')))
    throw new Error('hunt: the scenario did nothing that a fault could strike: did it call the API?');
  const tried = new Set<string>();
  const reached = new Set<string>();
  const further = createFurther();
  /** Those that stop a process again: few beside the others. */
  const recovered = createFurther();
  /** Those that strike what happens once a process was started again, of which there are many. */
  const inRecovery = createFurther();
  let isFirst = true;
  /** Those that are left. */
  let boundaries: ReturnType<typeof boundariesOf> | undefined;

  function isNew(plan: Plan): boolean {
    const before = tried.size;
    return tried.add(JSON.stringify(plan)).size > before;
  }

  function draw(): Plan | undefined {
    if (maxFaults < 2) return undefined;
    for (let left = DRAWS_MAX; left > 0; left -= 1) {
      const count = 2 + Math.floor(fraction(random) * (maxFaults - 1));
      const plan = Array.from({ length: count }, () => chosen(groups, random));
      const isDistinct = new Set(plan.map((fault) => JSON.stringify(fault))).size === count;
      if (isDistinct && isNew(plan)) return plan;
    }
    return undefined;
  }

  /** Returns whether this was reached before. */
  function isKnown(name: string): boolean {
    const before = reached.size;
    return reached.add(name).size === before;
  }

  const alone = (faults: readonly HuntedFault[]) => faults.map((fault) => [fault]).filter(isNew);

  return {
    next() {
      if (isFirst) {
        isFirst = false;
        return alone(inOrder(groups, calm, random));
      }
      const stopped = recovered.take(ROUND / 4);
      const plans = [...stopped, ...further.take(ROUND / 2 - stopped.length)].filter(isNew);
      boundaries ??= boundariesOf(calm, random);
      const delayed = alone(boundaries.delays.splice(0, ROUND / 4));
      const down = alone(boundaries.stops.splice(0, ROUND / 8));
      const left = ROUND - plans.length - delayed.length - down.length;
      const drawn = Array.from({ length: left }, draw).filter((plan) => plan !== undefined);
      // Besides those of a round: not all code is started again.
      return inTurn([plans, delayed, down, drawn, inRecovery.take(ROUND / 4).filter(isNew)]);
    },
    learn(plan, { happened, restartable, recoveries = [] }) {
      if (plan.length >= maxFaults) return;
      const cause = plan.map(kindOf).join(' ');
      const isReached = (name: string) => isKnown(`${cause} ${name}`);
      const places = (happened ?? [])
        .map((each) => ({ ...each, known: known.get(nameOf(each)) ?? 0 }))
        .filter((each) => each.count > each.known && !isReached(`${nameOf(each)} ${each.count}`));
      // On real time a process asks now more and now less often.
      const count = requests > 0 && happened !== undefined ? restartable : 0;
      const more = isReached(`requests ${count}`) ? requests : count;
      const stops = { known: requests, count: more, isOnRealTime: isOnRealTime(calm) };
      further.add(mixed(faultGroups(places, stops), random).map((fault) => [...plan, fault]));
      const stopsAgain = recoveries.flatMap((each) => recoveryStops(each, isReached));
      recovered.add(mixed(stopsAgain, random).map((stop) => [...plan, stop]));
      const struckAgain = recoveryFaults(recoveries, happened ?? [], { isReached: isKnown, random });
      inRecovery.add(struckAgain.map((fault) => [...plan, fault]));
    },
  };
}

/** What takes real time does not repeat exactly, and an outage lasts there. */
const isOnRealTime = ({ happened }: Trial) => happened === undefined;

/** Returns the faults that end where a timer does. */
function boundariesOf({ timed = [], timedStops = [] }: Trial, random: Random) {
  return {
    delays: mixed(boundaryDelays(timed), random),
    stops: mixed(boundaryStops(timedStops, timed), random),
  };
}

function groupsOf(calm: Trial): HuntedFault[][] {
  const places = calm.observed.map((each) => ({ ...each, known: 0 }));
  const outages = outagesOfAll(calm.observed, { isOnRealTime: isOnRealTime(calm) });
  return [
    ...faultGroups(places, { known: 0, count: calm.restartable, isOnRealTime: isOnRealTime(calm) }),
    ...(calm.otherStops ? stopGroups(calm.otherStops) : []),
    ...entriesOf(calm.processes ?? {}).flatMap(([name, stops]) =>
      stopGroups(stops, name, { isOnRealTime: isOnRealTime(calm) }),
    ),
    ...(outages.length > 0 ? [outages] : []),
  ];
}

/**
 * Returns all faults in the order in which they are tried alone: first those of each kind at each place that the shop sees, since
 * what goes wrong there is its own, then the others. On real time, where few are tried in a minute, outages that take their time are
 * last.
 */
function inOrder(groups: readonly HuntedFault[][], calm: Trial, random: Random): HuntedFault[] {
  const rankOf = isOnRealTime(calm) ? rankOnRealTime : rankOnVirtualTime;
  const some = (rank: number) =>
    groups.map((group) => group.filter((fault) => rankOf(fault) === rank)).filter(({ length }) => length > 0);
  return [0, 1, 2].flatMap((rank) => mixed(some(rank), random));
}

/** Returns how late a fault is tried on virtual time, from 0. */
function rankOnVirtualTime(fault: HuntedFault): number {
  return isSeenByShop(fault) && (isTypical(fault) || isOutage(fault)) ? 0 : 1;
}

/** Returns how late a fault is tried on real time, from 0. */
function rankOnRealTime(fault: HuntedFault): number {
  // Attempts of events are made again while an hour of the sandbox passes at once.
  const takesTime =
    fault.at === 'integrator'
      ? isOutage(fault)
      : fault.at !== 'webhook.attempt' && fault.when?.forMs !== undefined;
  if (isSeenByShop(fault) && isTypical(fault) && !takesTime) return 0;
  return isOutage(fault) ? 2 : 1;
}

/** Returns whether a fault strikes the first occurrence, for as long as most do; each stop of a process is at another step. */
function isTypical(fault: HuntedFault): boolean {
  return fault.at === 'integrator' || ((fault.when?.nth ?? 1) === 1 && isAsLongAsMost(fault));
}

/** Plans that are made of shorter ones. */
function createFurther() {
  /** By number of faults: for each plan that reached something new, those with one fault more. */
  const lists = new Map<number, Plan[][]>();
  return {
    add(plans: Plan[]): void {
      const [first] = plans;
      if (first) lists.set(first.length, [...(lists.get(first.length) ?? []), plans]);
    },
    /** Takes some, first those with the fewest faults, and one of each list in turn. */
    take(count: number): Plan[] {
      const shortest = Math.min(...lists.keys());
      const all = lists.get(shortest);
      if (!all) return [];
      const taken = all.slice(0, count).map((plans) => plans[0]!);
      const left = [...all.slice(count), ...all.slice(0, count).map((plans) => plans.slice(1))];
      lists.set(
        shortest,
        left.filter((plans) => plans.length > 0),
      );
      if (lists.get(shortest)!.length === 0) lists.delete(shortest);
      return taken;
    },
  };
}

/** Returns what a fault strikes and how, without its number, how often and how long. */
function kindOf(fault: HuntedFault): string {
  return `${fault.what} ${placeOf(fault)}`;
}
