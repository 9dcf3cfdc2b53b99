import { explore, type Limits } from '../explore.ts';
import { KnownSteps } from '../local-steps.ts';
import { beginStep, placesOf, type Place } from '../places.ts';
import { SCENARIOS, type Scenario } from '../scenarios.ts';
import { singleStepsOf, type SingleSteps } from '../single-steps/single-steps.ts';
import type { Mutant } from './mutant.ts';

/** What the check has found about a mutant. */
export interface Verdict {
  id: string;
  /** The first property that did not hold, and where; absent if all of them did. */
  caught?: { property: string; by: 'single steps' | 'runs' };
  /** Whether a single step or a run came to the place that the mutant changes. */
  reached: boolean;
}

interface Exploration extends Limits {
  scenario: Scenario;
}

const [tapped, tappedAtPointOfSale, inserted, ownBank, refund, refundAtPointOfSale, two, alone, aloneRefund] =
  SCENARIOS as [Scenario, ...Scenario[]];
const all = { depth: Infinity, faults: 0 };

/** What is explored for each mutant that no single step shows, until a property does not hold: the smallest first. */
export const EXPLORATIONS: readonly Exploration[] = [
  { scenario: ownBank!, ...all },
  { scenario: tapped, ...all },
  { scenario: refund!, ...all },
  { scenario: tappedAtPointOfSale!, ...all },
  { scenario: refundAtPointOfSale!, ...all },
  { scenario: aloneRefund!, ...all },
  { scenario: alone!, ...all },
  { scenario: inserted!, ...all },
  { scenario: ownBank!, depth: 9, faults: 1 },
  { scenario: alone!, depth: 7, faults: 1 },
  { scenario: tapped, depth: 7, faults: 1 },
  { scenario: tappedAtPointOfSale!, depth: 7, faults: 1 },
  { scenario: inserted!, depth: 7, faults: 1 },
  { scenario: two!, depth: 12, faults: 0 },
];

/** A mutant that makes more states than this many times the usual is not explored further. */
const STATES_FACTOR = 3;

// Mutants come to states of their own, whose steps stay known too.
const KNOWN_STEPS_MAX = 20_000;

interface Usual {
  exploration: Exploration;
  states: number;
  places: ReadonlySet<Place>;
}

/** Explores with one mutant after another. */
export class Trial {
  readonly #usual: readonly Usual[];
  readonly #steps: SingleSteps;
  readonly #known = new Map<Scenario, KnownSteps>();

  private constructor(usual: readonly Usual[], steps: SingleSteps, known: Map<Scenario, KnownSteps>) {
    this.#usual = usual;
    this.#steps = steps;
    this.#known = known;
  }

  /** Explores without a mutant, and takes every single step from the states that were visited. */
  static async create(explorations: readonly Exploration[]): Promise<Trial> {
    const known = new Map(explorations.map(({ scenario }) => [scenario, new KnownSteps()]));
    const usual: Usual[] = [];
    for (const exploration of explorations) {
      const { scenario } = exploration;
      const { result, places } = await placesOf(() =>
        explore(scenario, exploration, { known: known.get(scenario) }),
      );
      for (const { property } of result.violations) throw brokenWithoutMutant(property);
      usual.push({ exploration, states: result.states, places });
    }
    const steps = await singleStepsOf(known);
    for (const property of steps.broken.keys()) throw brokenWithoutMutant(property);
    return new Trial(usual, steps, known);
  }

  async verdictOn({ id, place, apply }: Mutant, { stepsOnly }: { stepsOnly: boolean }): Promise<Verdict> {
    const runs = this.#usual.filter(({ places }) => places.has(place));
    const reached = runs.length > 0 || this.#steps.comesTo(place);
    if (!reached) return { id, reached };
    beginStep();
    const undo = apply();
    try {
      const property = await this.#steps.firstBroken(place);
      if (property !== undefined) return { id, reached, caught: { property, by: 'single steps' } };
      for (const run of stepsOnly ? [] : runs) {
        const violated = await this.#firstViolation(run, place);
        if (violated !== undefined) return { id, reached, caught: { property: violated, by: 'runs' } };
      }
      return { id, reached };
    } finally {
      undo();
    }
  }

  async #firstViolation({ exploration, states }: Usual, changed: Place): Promise<string | undefined> {
    const limits = { ...exploration, first: true, states: states * STATES_FACTOR };
    const { scenario } = exploration;
    const { violations } = await explore(scenario, limits, { known: this.#knownOf(scenario), changed });
    return violations[0]?.property;
  }

  #knownOf(scenario: Scenario): KnownSteps {
    const before = this.#known.get(scenario);
    const known = before && before.steps.size < KNOWN_STEPS_MAX ? before : new KnownSteps();
    this.#known.set(scenario, known);
    return known;
  }
}

function brokenWithoutMutant(property: string): Error {
  return new Error(`without a mutant ${property} does not hold`);
}
