import type { VirtualClock } from '../../world/virtual-clock.ts';
import type { IntegratorFault, Observed } from './hunted-fault.ts';

/** The timers that ran when something happened in a run without faults: of the shop, the server and the terminals. */
interface Timed {
  atMs: number;
  /** Milliseconds until each was due. */
  dueInMs: readonly number[];
}

/** An occurrence in a run without faults. */
export interface TimedOccurrence extends Timed {
  place: Omit<Observed, 'count'>;
  nth: number;
}

/** A moment in a run without faults at which a process can be stopped. */
export interface TimedStop extends Timed {
  stop: IntegratorFault;
}

/** What happens in a run, in its order. */
interface RunNotes {
  /** Adds what happens where a fault could strike. */
  add(occurrence: Observed): void;
  /** Adds a moment at which a process can be stopped. */
  addMoment(stop: IntegratorFault): void;
  /** All of it, with the number of each among those of its names. */
  readonly order: { place: Observed; nth: number }[];
  /** The same, with the timers that ran then, and the moments at which a process can be stopped. Of a run without faults. */
  readonly timed: TimedOccurrence[];
  readonly timedStops: TimedStop[];
}

/** Creates the notes of a run. @param isCalm whether no fault strikes in it */
export function createRunNotes(clock: VirtualClock, isCalm: boolean): RunNotes {
  const [order, timed, timedStops]: [RunNotes['order'], TimedOccurrence[], TimedStop[]] = [[], [], []];
  const timers = (): Timed => {
    const atMs = clock.nowMs();
    return { atMs, dueInMs: clock.due.map((dueMs) => dueMs - atMs) };
  };
  return {
    add(occurrence) {
      const { count: nth, ...place } = occurrence;
      order.push({ place: occurrence, nth });
      if (isCalm) timed.push({ place, nth, ...timers() });
    },
    addMoment(stop) {
      if (isCalm) timedStops.push({ stop, ...timers() });
    },
    order,
    timed,
    timedStops,
  };
}
