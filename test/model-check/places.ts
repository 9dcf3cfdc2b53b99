/** A part of the rules that a mutant changes: an event in a state, the entry of a state, or an expression by its number. */
export type Place = string | number;

interface Reached {
  places: Set<Place>;
  ofSteps: Set<ReadonlySet<Place>>;
}

const nothing = (): Reached => ({ places: new Set(), ofSteps: new Set() });

let reached = nothing();

/** Far more than a step comes to: a machine that a mutant makes go round for ever does not end its step. */
const REACHED_MAX = 20_000;

let reachedInStep = 0;

/** Begins a step of one side. */
export function beginStep(): void {
  reachedInStep = 0;
}

/** Notes that the rules have come to a place. @throws Error when a step does not end. */
export function reach(place: Place): void {
  reachedInStep += 1;
  if (reachedInStep > REACHED_MAX) {
    beginStep();
    throw new Error('the step does not end');
  }
  reached.places.add(place);
}

/** Notes the places of a step that was taken before. */
export function reachAll(places: ReadonlySet<Place>): void {
  reached.ofSteps.add(places);
}

/** Runs a step, or many, and returns the places that they have come to. */
export async function placesOf<T>(run: () => T | Promise<T>): Promise<{ result: T; places: Set<Place> }> {
  const outer = reached;
  reached = nothing();
  try {
    const result = await run();
    const { places, ofSteps } = reached;
    for (const step of ofSteps) for (const place of step) places.add(place);
    outer.ofSteps.add(places);
    return { result, places };
  } finally {
    reached = outer;
  }
}
