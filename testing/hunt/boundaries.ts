import { CUT_POINTS } from '../../server/platform/faults/cut-points.ts';
import { RETRY_PAUSES_MS } from '../../server/platform/outbox/delivery.ts';
import { stopPointOf, type HuntedFault } from './hunted-fault.ts';
import type { TimedOccurrence, TimedStop } from './run-notes.ts';
import { isTried, NTH_MAX } from './single-faults.ts';

// Just before, at and just after.
const EDGES_MS = [-1, 0, 1];
// Later timers, such as of a subscription, are no time-outs.
const LONGEST_MS = 3_600_000;

/** From the first attempt of an event to each, where all before are refused at once. */
const ATTEMPTS_MS = RETRY_PAUSES_MS.reduce((sums, pauseMs) => [...sums, sums.at(-1)! + pauseMs], [0]);

/**
 * Returns the delays by which something happens just before, at or just after a timer that ran when it happened without
 * faults, such as a time-out of the shop or the deadline of an action. One group for each place.
 */
export function boundaryDelays(timed: readonly TimedOccurrence[]): HuntedFault[][] {
  return inGroups(timed, ({ place, nth, dueInMs }) => {
    const { at, ...filter } = place;
    const lasting: readonly string[] = CUT_POINTS[at].lasting;
    if (nth > NTH_MAX || !lasting.includes('delay') || !isTried({ ...place, count: nth })) return [];
    const delays = edgesOf(dueInMs).map((delayMs) => ({
      at,
      what: 'delay',
      delayMs,
      when: { ...filter, nth },
    }));
    return [JSON.stringify(place), delays];
  });
}

/**
 * Returns the stops of processes that are back just before, at or just after a timer that ran when they stop, such as that of
 * another process, or an attempt of an event that they refused while they were down. One group for each kind of stop.
 * @param timed what else happened
 */
export function boundaryStops(
  stops: readonly TimedStop[],
  timed: readonly TimedOccurrence[],
): HuntedFault[][] {
  const attempts = timed.filter(({ place }) => place.at === 'webhook.attempt');
  return inGroups(stops, ({ stop, atMs, dueInMs }) => {
    if (stop.when.nth > NTH_MAX) return [];
    const later = attempts.map((attempt) => attempt.atMs - atMs).filter((ms) => ms > 0);
    // One that is under way breaks off with the process.
    const first = attempts.length > later.length ? [0, ...later] : later;
    const retries = first.flatMap((ms) => ATTEMPTS_MS.map((pauseMs) => ms + pauseMs));
    const spans = edgesOf([...dueInMs, ...retries]).map((downMs) => ({ ...stop, downMs }));
    return [`${stop.process} ${stopPointOf(stop)} ${stop.what}`, spans];
  });
}

/** Returns spans that end just before, at and just after each of these. */
function edgesOf(spansMs: readonly number[]): number[] {
  const near = spansMs.filter((ms) => ms > 0 && ms <= LONGEST_MS);
  return [...new Set(near.flatMap((ms) => EDGES_MS.map((edge) => ms + edge)))].filter((ms) => ms > 0);
}

/** @param faultsOf returns the name of the group of an item and the faults that it adds; nothing for none */
function inGroups<T>(
  items: readonly T[],
  faultsOf: (item: T) => [string, HuntedFault[]] | [],
): HuntedFault[][] {
  const groups = new Map<string, HuntedFault[]>();
  for (const item of items) {
    const [name, faults = []] = faultsOf(item);
    if (name !== undefined) groups.set(name, [...(groups.get(name) ?? []), ...faults]);
  }
  return [...groups.values()].filter((group) => group.length > 0);
}
