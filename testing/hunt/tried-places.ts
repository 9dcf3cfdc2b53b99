import type { TriedPlace } from '../run-log/run-log-format.ts';
import { entriesOf } from '../../protocol/tables.ts';
import {
  stopPointOf,
  type HuntedFault,
  type IntegratorFault,
  type Observed,
  type OtherStops,
} from './hunted-fault.ts';
import { LEFT_OUT_MESSAGES } from './single-faults.ts';

export interface TriedPlaces {
  /** Counts a plan that was tried, of whose faults some struck nothing. */
  add(plan: readonly HuntedFault[], unstruck: readonly HuntedFault[]): void;
  /** Adds the places at which something happened under a plan and nothing without faults. */
  addNew(happened: readonly Observed[]): void;
  /** Returns all places, in the order in which they happened first. */
  list(): TriedPlace[];
}

/** What an outage of the whole API, or of a whole endpoint, strikes. */
const ALL = 'all';
/** What of an occurrence names its place. */
const NAMES = ['operation', 'message', 'state', 'effect', 'eventType'] as const;
type Named = Partial<Record<(typeof NAMES)[number], string>>;

/**
 * Counts at which places the faults of plans strike.
 * @param observed what happened without faults
 * @param otherStops at what else it can, and how often
 * @param restartable number of requests at which the process of the integrator can stop; 0 when it cannot
 */
export function countTriedPlaces(
  observed: readonly Observed[],
  restartable: number,
  otherStops: OtherStops = { webhook: 0, wait: 0, write: 0 },
): TriedPlaces {
  const places = new Map<string, TriedPlace>();
  const addPlace = ({ at, count: happened, ...names }: Observed) => {
    const place = { at, what: whatOf(names), happened, planned: 0, struck: 0 };
    if (!places.has(keyOf(place))) places.set(keyOf(place), place);
  };
  observed.forEach(addPlace);
  if (restartable > 0) {
    const place = { at: 'integrator', what: '', happened: restartable, planned: 0, struck: 0 };
    places.set(keyOf(place), place);
  }
  for (const [what, happened] of entriesOf(otherStops))
    if (happened > 0)
      places.set(keyOf({ at: 'integrator', what }), {
        at: 'integrator',
        what,
        happened,
        planned: 0,
        struck: 0,
      });
  const count = (faults: readonly HuntedFault[], add: (place: TriedPlace) => void) => {
    for (const fault of faults) add(placeOf(fault));
  };
  /** Returns the place of a fault; that of all such places, from then on, when the fault names none. */
  const placeOf = (fault: HuntedFault): TriedPlace => {
    const { at } = fault;
    const what = fault.at === 'integrator' ? stopNameOf(fault) : whatOf(fault.when);
    const known = places.get(keyOf({ at, what })) ?? places.get(keyOf({ at, what: ALL }));
    if (known) return known;
    const happened = observed.filter((each) => each.at === at).reduce((sum, each) => sum + each.count, 0);
    const all = { at, what: ALL, happened, planned: 0, struck: 0 };
    places.set(keyOf(all), all);
    return all;
  };
  return {
    add(plan, unstruck) {
      count(plan, (place) => {
        place.planned += 1;
        place.struck += 1;
      });
      count(unstruck, (place) => (place.struck -= 1));
    },
    addNew: (happened) => happened.forEach((each) => addPlace({ ...each, count: 0 })),
    list: () => [...places.values()].map((place) => ({ ...place, ...whyOf(place) })),
  };
}

/** Requests have no name: they are the only ones of a process of its own. */
function stopNameOf(fault: IntegratorFault): string {
  const point = stopPointOf(fault);
  return point === 'request' ? '' : point;
}

function keyOf({ at, what }: Pick<TriedPlace, 'at' | 'what'>): string {
  return `${at} ${what}`;
}

function whatOf(names: Named = {}): string {
  return NAMES.flatMap((name) => names[name] ?? []).join(' ');
}

function whyOf({ at, what, happened, planned, struck }: TriedPlace): Pick<TriedPlace, 'why'> {
  if (LEFT_OUT_MESSAGES.has(`${at} ${what}`)) return { why: 'left out: only the dashboard shows it' };
  if (planned === 0 && happened === 0)
    return { why: 'it happens only under faults, and was not drawn: try more plans or faults' };
  if (planned === 0) return { why: 'not drawn: try more plans' };
  if (struck < planned) return { why: 'it did not happen, or not as often, under the faults before' };
  return {};
}
