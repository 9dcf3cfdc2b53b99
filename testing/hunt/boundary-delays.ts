import { CUT_POINTS } from '../../server/platform/faults/cut-points.ts';
import type { HuntedFault, Observed } from './hunted-fault.ts';
import { isTried, NTH_MAX } from './single-faults.ts';

/** An occurrence in a run without faults, and the timers that ran then: of the shop, the server and the terminals. */
export interface TimedOccurrence {
  place: Omit<Observed, 'count'>;
  nth: number;
  /** Milliseconds until each timer was due. */
  dueInMs: readonly number[];
}

// Just before, at and just after.
const EDGES_MS = [-1, 0, 1];
// Later timers, such as of a subscription, are no time-outs.
const LONGEST_MS = 3_600_000;

/**
 * Returns the delays by which something happens just before, at or just after a timer that ran when it happened without
 * faults, such as a time-out of the shop or the deadline of an action. One group for each place.
 */
export function boundaryDelays(timed: readonly TimedOccurrence[]): HuntedFault[][] {
  const groups = new Map<string, HuntedFault[]>();
  for (const { place, nth, dueInMs } of timed) {
    const { at, ...filter } = place;
    const lasting: readonly string[] = CUT_POINTS[at].lasting;
    if (nth > NTH_MAX || !lasting.includes('delay') || !isTried({ ...place, count: nth })) continue;
    const name = JSON.stringify(place);
    const due = [...new Set(dueInMs)].filter((ms) => ms > 0 && ms <= LONGEST_MS);
    const delays = new Set(due.flatMap((ms) => EDGES_MS.map((edge) => ms + edge)));
    const faults = [...delays].map((delayMs) => ({ at, what: 'delay', delayMs, when: { ...filter, nth } }));
    groups.set(name, [...(groups.get(name) ?? []), ...faults]);
  }
  return [...groups.values()].filter((group) => group.length > 0);
}
