import { explore, type Limits } from '../explore.ts';
import { KnownSteps } from '../local-steps.ts';
import { placesOf, type Place } from '../places.ts';
import { SCENARIOS, type Scenario } from '../scenarios.ts';
import type { Mutant } from './mutant.ts';

/** What the check has found about a mutant. */
export interface Verdict {
  id: string;
  /** The first property that did not hold, and the scenario; absent if all of them did. */
  caught?: { property: string; scenario: string; faults: number };
  /** Whether an exploration came to the place that the mutant changes. */
  reached: boolean;
}

interface Exploration extends Limits {
  scenario: Scenario;
}

const [tapped, tappedAtPointOfSale, inserted, ownBank, refund, refundAtPointOfSale, two] = SCENARIOS as [
  Scenario,
  ...Scenario[],
];
const all = { depth: Infinity, faults: 0 };

/** What is explored for each mutant until a property does not hold: the smallest first. */
export const EXPLORATIONS: readonly Exploration[] = [
  { scenario: ownBank!, ...all },
  { scenario: tapped, ...all },
  { scenario: refund!, ...all },
  { scenario: tappedAtPointOfSale!, ...all },
  { scenario: refundAtPointOfSale!, ...all },
  { scenario: inserted!, ...all },
  { scenario: ownBank!, depth: 9, faults: 1 },
  { scenario: tapped, depth: 7, faults: 1 },
  { scenario: tappedAtPointOfSale!, depth: 7, faults: 1 },
  { scenario: inserted!, depth: 7, faults: 1 },
  { scenario: two!, depth: 12, faults: 0 },
];

/** A mutant that makes more states than this many times the usual is not explored further. */
const STATES_FACTOR = 3;

// Mutants come to states of their own, whose steps stay known too.
const KNOWN_STEPS_MAX = 50_000;

interface Usual {
  states: number;
  places: ReadonlySet<Place>;
}

/** Explores with one mutant after another. */
export class Trial {
  readonly #explorations: readonly Exploration[];
  readonly #usual = new Map<Exploration, Usual>();
  readonly #known = new Map<Scenario, KnownSteps>();

  constructor(explorations: readonly Exploration[]) {
    this.#explorations = explorations;
  }

  async verdictOn({ id, place, apply }: Mutant): Promise<Verdict> {
    let reached = false;
    for (const exploration of this.#explorations) {
      const usual = await this.#usualOf(exploration);
      if (!usual.places.has(place)) continue; // nothing would change
      reached = true;
      const { scenario, faults } = exploration;
      const undo = apply();
      try {
        const limits = { ...exploration, first: true, states: usual.states * STATES_FACTOR };
        const { violations } = await explore(scenario, limits, {
          known: this.#knownOf(scenario),
          changed: place,
        });
        const [violation] = violations;
        if (violation)
          return { id, reached, caught: { property: violation.property, scenario: scenario.name, faults } };
      } finally {
        undo();
      }
    }
    return { id, reached };
  }

  async #usualOf(exploration: Exploration): Promise<Usual> {
    const known = this.#usual.get(exploration);
    if (known) return known;
    const { scenario } = exploration;
    const { result, places } = await placesOf(() =>
      explore(scenario, exploration, { known: this.#knownOf(scenario) }),
    );
    if (result.violations.length > 0)
      throw new Error(`without a mutant ${result.violations[0]!.property} does not hold`);
    const usual = { states: result.states, places };
    this.#usual.set(exploration, usual);
    return usual;
  }

  #knownOf(scenario: Scenario): KnownSteps {
    const before = this.#known.get(scenario);
    const known = before && before.steps.size < KNOWN_STEPS_MAX ? before : new KnownSteps();
    this.#known.set(scenario, known);
    return known;
  }
}
