import type { Random } from '../../protocol/ids.ts';
import { keysOf, tableOf } from '../../protocol/tables.ts';
import { isSeenByShop, nameOf, type HuntedFault, type Observed, type StopPoint } from './hunted-fault.ts';
import type { Recovery } from './processes.ts';
import { faultGroups, isAsLongAsMost, mixed, stopGroups, type Place } from './single-faults.ts';

/** @param isReached whether a name was given before; from then on it was */
type IsReached = (name: string) => boolean;

/**
 * Returns the stops of a process at what it does once it is started again, in groups: that differs from what it did before
 * also where it is of the same number.
 */
export function recoveryStops({ process, before, counts }: Recovery, isReached: IsReached): HuntedFault[][] {
  const isKnown = (point: StopPoint) => isReached(`${process} ${point} ${before[point]} ${counts[point]}`);
  const fresh = tableOf(keysOf(counts), (point) => (isKnown(point) ? 0 : counts[point]));
  return stopGroups(fresh, process, { before });
}

/**
 * Returns the faults of what happens first at each place once processes were started again, and of each commit, also where it is of
 * the same number as without faults. Each lasts as long as most do; those that the shop sees come first.
 */
export function recoveryFaults(
  recoveries: readonly Recovery[],
  happened: readonly Observed[],
  { isReached, random }: { isReached: IsReached; random: Random },
): HuntedFault[] {
  const places = recoveries.flatMap((recovery) => placesOf(recovery, happened, isReached));
  const groups = faultGroups(places, NO_REQUESTS).map((group) => group.filter(isAsLongAsMost));
  const some = (isOfShop: boolean) =>
    groups
      .map((group) => group.filter((fault) => isSeenByShop(fault) === isOfShop))
      .filter(({ length }) => length > 0);
  return [true, false].flatMap((isOfShop) => mixed(some(isOfShop), random));
}

const NO_REQUESTS = { known: 0, count: 0, isOnRealTime: false };

function placesOf(
  { process, before, happened: earlier }: Recovery,
  happened: readonly Observed[],
  isReached: IsReached,
): Place[] {
  const counts = new Map(earlier.map((each) => [nameOf(each), each.count]));
  // However long it was down, and whatever stopped it there.
  const begun = `${process} again after ${JSON.stringify(before)}`;
  return happened.flatMap((each) => {
    const known = counts.get(nameOf(each)) ?? 0;
    const count = each.at === 'server.commit' ? each.count : Math.min(each.count, known + 1);
    if (count <= known || isReached(`${begun} ${nameOf(each)} ${known}`)) return [];
    return [{ ...each, known, count }];
  });
}
