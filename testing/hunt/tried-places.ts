import { LEFT_OUT_MESSAGES } from './hunted-plans.ts';
import type { TriedPlace } from '../run-log/run-log-format.ts';
import type { HuntedFault, Observed } from './hunted-fault.ts';

export interface TriedPlaces {
  /** Counts a plan that was tried, of whose faults some struck nothing. */
  add(plan: readonly HuntedFault[], unstruck: readonly HuntedFault[]): void;
  /** Returns all places, in the order in which they happened first. */
  list(): TriedPlace[];
}

/** What of an occurrence names its place. */
const NAMES = ['operation', 'message', 'state', 'effect', 'eventType'] as const;
type Named = Partial<Record<(typeof NAMES)[number], string>>;

/**
 * Counts at which places the faults of plans strike.
 * @param observed what happened without faults
 * @param restartable number of requests at which the process of the integrator can stop; 0 when it cannot
 */
export function countTriedPlaces(observed: readonly Observed[], restartable: number): TriedPlaces {
  const places = new Map<string, TriedPlace>();
  for (const { at, count, ...names } of observed) {
    const place = { at, what: whatOf(names), happened: count, planned: 0, struck: 0 };
    places.set(keyOf(place), place);
  }
  if (restartable > 0) {
    const place = { at: 'integrator', what: '', happened: restartable, planned: 0, struck: 0 };
    places.set(keyOf(place), place);
  }
  const count = (faults: readonly HuntedFault[], add: (place: TriedPlace) => void) => {
    for (const fault of faults) {
      const place = places.get(
        keyOf({ at: fault.at, what: fault.at === 'integrator' ? '' : whatOf(fault.when) }),
      );
      if (place) add(place);
    }
  };
  return {
    add(plan, unstruck) {
      count(plan, (place) => {
        place.planned += 1;
        place.struck += 1;
      });
      count(unstruck, (place) => (place.struck -= 1));
    },
    list: () => [...places.values()].map((place) => ({ ...place, ...whyOf(place) })),
  };
}

function keyOf({ at, what }: Pick<TriedPlace, 'at' | 'what'>): string {
  return `${at} ${what}`;
}

function whatOf(names: Named = {}): string {
  return NAMES.flatMap((name) => names[name] ?? []).join(' ');
}

function whyOf({ at, what, planned, struck }: TriedPlace): Pick<TriedPlace, 'why'> {
  if (LEFT_OUT_MESSAGES.has(`${at} ${what}`)) return { why: 'left out: only the dashboard shows it' };
  if (planned === 0) return { why: 'not drawn: try more plans' };
  if (struck < planned) return { why: 'it did not happen, or not as often, under the faults before' };
  return {};
}
