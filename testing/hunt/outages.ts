import type { CutPointName } from '../../server/platform/faults/cut-points.ts';
import type { PlannedFault } from '../../server/platform/faults/fault-plan.schema.ts';
import type { HuntedFault, Observed } from './hunted-fault.ts';

type Outage = Required<Pick<PlannedFault, 'what' | 'when'>> & Pick<PlannedFault, 'delayMs'>;
/** Of a whole place. In a slow one a shop asks very often: it begins once, in the middle. */
type OutageOfAll = Outage & { isSlow?: boolean };

// More often than a shop that gives up tries, and than an event is attempted.
const OFTEN = { times: 8 };
const MINUTE_MS = 60_000;
// A shop that asks again without a pause would ask for ever: on virtual time nothing passes meanwhile.
const TIMES_MAX = 300;
const A_MINUTE = { forMs: MINUTE_MS, times: TIMES_MAX };
const TEN_MINUTES = { forMs: 10 * MINUTE_MS, times: TIMES_MAX };
// Longer than the schedule of an event.
const HOURS = { forMs: 180 * MINUTE_MS, times: TIMES_MAX };
// Longer than a client waits.
const SLOW_MS = 15_000;

/** Outages of one operation, message or type of event. */
const OUTAGES_OF_ONE: Partial<Record<CutPointName, readonly Outage[]>> = {
  'api.request': [
    ...['unavailable', 'reset', 'rate-limited'].map((what) => ({ what, when: OFTEN })),
    { what: 'unavailable', when: A_MINUTE },
    { what: 'delay', delayMs: SLOW_MS, when: OFTEN },
  ],
  'api.reply': [
    { what: 'reset', when: OFTEN },
    { what: 'reset', when: A_MINUTE },
    { what: 'delay', delayMs: SLOW_MS, when: OFTEN },
  ],
  'message.command': [{ what: 'lost', when: OFTEN }],
  'message.report': [{ what: 'lost', when: OFTEN }],
  'webhook.attempt': [
    { what: 'dropped', when: OFTEN },
    { what: 'dropped', when: HOURS },
  ],
  // The terminal asks again, and so may the shop.
  'cardholder.card': [{ what: 'leaves', when: OFTEN }],
  'cardholder.pin': [{ what: 'wrong-pin', when: OFTEN }],
};

/** Outages of a whole place: of the API, or of each webhook endpoint. */
const OUTAGES_OF_ALL: Partial<Record<CutPointName, readonly OutageOfAll[]>> = {
  'api.request': [
    { what: 'unavailable', when: A_MINUTE },
    { what: 'unavailable', when: TEN_MINUTES, isSlow: true },
    { what: 'reset', when: A_MINUTE },
  ],
  'api.reply': [{ what: 'reset', when: A_MINUTE }],
  'webhook.attempt': [
    { what: 'dropped', when: TEN_MINUTES },
    { what: 'dropped', when: HOURS },
  ],
};

/** At how many of all occurrences an outage of a whole place begins, at most. */
const BEGINNINGS_MAX = 5;

/** Returns the outages of a place that begin at its first occurrence. */
export function outagesOf({ at, count: _count, ...filter }: Observed): HuntedFault[] {
  const outages = OUTAGES_OF_ONE[at] ?? [];
  return outages.map(({ when, ...outage }) => ({ at, ...outage, when: { ...filter, nth: 1, ...when } }));
}

/**
 * Returns the outages of all that happens at a kind of place, for each kind at which different things happen.
 * @param isOnRealTime whether an outage takes its time: slow ones are left out then
 */
export function outagesOfAll(
  observed: readonly Observed[],
  { isOnRealTime }: { isOnRealTime: boolean },
): HuntedFault[] {
  const kinds = [...new Set(observed.map(({ at }) => at))];
  return kinds.flatMap((at) => {
    const places = observed.filter((each) => each.at === at);
    if (places.length < 2) return [];
    const outages = (OUTAGES_OF_ALL[at] ?? []).filter(({ isSlow }) => !(isSlow && isOnRealTime));
    const count = places.reduce((sum, place) => sum + place.count, 0);
    const beginnings = beginningsOf(count);
    return outages.flatMap(({ when, isSlow, ...outage }) => {
      const some = isSlow === true ? [beginnings[Math.floor(beginnings.length / 2)]!] : beginnings;
      return some.map((nth): HuntedFault => ({ at, ...outage, when: { nth, ...when } }));
    });
  });
}

/** Returns numbers of occurrences from the first to the last, evenly. */
function beginningsOf(count: number): number[] {
  const steps = Math.min(BEGINNINGS_MAX, count) - 1;
  const numbers = Array.from({ length: steps + 1 }, (_, step) =>
    steps === 0 ? 1 : 1 + Math.round((step * (count - 1)) / steps),
  );
  return [...new Set(numbers)];
}

/** Returns an outage of a whole place as one of each of the things that happen there. */
export function narrowed(fault: HuntedFault, observed: readonly Observed[]): HuntedFault[] {
  if (fault.at === 'integrator' || !isOutage(fault) || Object.keys(fault.when!).some(isFilter)) return [];
  const places = observed.filter(({ at }) => at === fault.at);
  return places.flatMap(({ at: _at, count: _count, ...filter }) =>
    // A place at which one thing alone happens is no narrower.
    Object.keys(filter).length > 0 ? [{ ...fault, when: { ...filter, ...fault.when, nth: 1 } }] : [],
  );
}

const isFilter = (name: string) => !['nth', 'times', 'forMs', 'percent'].includes(name);

/** Returns whether a fault strikes more than once, or lasts. */
export function isOutage(fault: HuntedFault): boolean {
  if (fault.at === 'integrator') return fault.downMs !== undefined;
  const { times, forMs } = fault.when ?? {};
  return times !== undefined || forMs !== undefined;
}
