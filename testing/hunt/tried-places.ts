import type { TriedPlace } from '../run-log/run-log-format.ts';
import { entriesOf } from '../../protocol/tables.ts';
import { stopPointOf, type HuntedFault, type IntegratorFault, type Observed } from './hunted-fault.ts';
import { LEFT_OUT_MESSAGES } from './single-faults.ts';
import type { Trial } from './trial.ts';

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

type Calm = Pick<Trial, 'observed' | 'restartable' | 'otherStops' | 'processes'>;

/** Counts at which places the faults of plans strike. @param calm what happened without faults */
export function countTriedPlaces(calm: Calm): TriedPlaces {
  const { observed } = calm;
  const places = new Map<string, TriedPlace>();
  const addPlace = ({ at, count: happened, ...names }: Observed) => {
    const place = { at, what: whatOf(names), happened, planned: 0, struck: 0 };
    if (!places.has(keyOf(place))) places.set(keyOf(place), place);
  };
  observed.forEach(addPlace);
  for (const { what, happened } of stopPlaces(calm)) {
    const place = { at: 'integrator', what, happened, planned: 0, struck: 0 };
    places.set(keyOf(place), place);
  }
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
    // What a process does only when it was started again has a name.
    const all = { at, what: fault.at === 'integrator' ? what : ALL, happened, planned: 0, struck: 0 };
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

/** Returns at what processes can be stopped. Requests have no name: they are the only ones of a process of its own. */
function stopPlaces({ restartable, otherStops, processes = {} }: Calm): { what: string; happened: number }[] {
  const own = entriesOf(otherStops ?? {}).map(([what, happened]) => ({ what, happened }));
  const others = entriesOf(processes).flatMap(([name, stops]) =>
    entriesOf(stops).map(([point, happened]) => ({ what: `${name} ${point}`, happened })),
  );
  return [{ what: '', happened: restartable }, ...own, ...others].filter(({ happened }) => happened > 0);
}

function stopNameOf(fault: IntegratorFault): string {
  const point = stopPointOf(fault);
  if (fault.process !== undefined) return `${fault.process} ${point}`;
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
