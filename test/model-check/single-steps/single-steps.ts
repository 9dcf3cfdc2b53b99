import type { KnownSteps } from '../local-steps.ts';
import { placesOf, type Place } from '../places.ts';
import type { Scenario } from '../scenarios.ts';
import { stepTerminal } from '../terminal-model.ts';
import { brokenByRefund, REFUNDS } from './refund-steps.ts';
import { brokenServerStep, inputsToServer, numbered } from './server-steps.ts';
import { inputsTo } from './terminal-inputs.ts';
import { statesOfTerminal, waitOf, waitsDouble } from './terminal-steps.ts';

/** Takes a step by itself and returns the names of the properties that it breaks. */
type SingleStep = () => string[] | Promise<string[]>;

/**
 * Each step from each visited state of one side, with events that do not belong there, by the places that it comes to.
 */
export class SingleSteps {
  readonly #steps: SingleStep[] = [];
  readonly #byPlace = new Map<Place, number[]>();
  /** States of terminals whose steps have been taken. */
  readonly #seen = new Set<string>();
  /** The properties that do not hold, each with the first step that shows it. */
  readonly broken = new Map<string, string>();

  get size(): number {
    return this.#steps.length;
  }

  /** Takes every step from the states that explorations of a scenario have visited. */
  async addAll(
    scenario: Scenario,
    { terminals, servers }: Pick<KnownSteps, 'terminals' | 'servers'>,
  ): Promise<void> {
    const waits = new Set<string>();
    for (const state of await statesOfTerminal(terminals.values, this.#seen)) {
      for (const input of inputsTo(state)) {
        let after = state;
        const describe = () => textOf(state.host?.action?.snapshot, input);
        await this.#add(describe, async () => {
          const step = await stepTerminal(state, input);
          ({ after } = step);
          return step.broken;
        });
        const wait = waitOf(state, input, after);
        if (wait === undefined || waits.has(wait)) continue;
        waits.add(wait);
        await this.#add(describe, () => waitsDouble(state, input));
      }
    }
    for (const state of servers.values.map(numbered))
      for (const input of inputsToServer(state))
        await this.#add(
          () => textOf(state.actions, input),
          () => brokenServerStep(state, input, scenario),
        );
  }

  /** Asks for refunds of each kind. */
  async addRefunds(): Promise<void> {
    for (const refund of REFUNDS)
      await this.#add(
        () => JSON.stringify(refund),
        () => brokenByRefund(refund),
      );
  }

  async #add(describe: () => string, take: SingleStep): Promise<void> {
    const { result, places } = await placesOf(take);
    for (const property of result)
      if (!this.broken.has(nameOf(property))) this.broken.set(nameOf(property), describe());
    const index = this.#steps.push(take) - 1;
    for (const place of places) {
      const known = this.#byPlace.get(place);
      if (known) known.push(index);
      else this.#byPlace.set(place, [index]);
    }
  }

  comesTo(place: Place): boolean {
    return this.#byPlace.has(place);
  }

  /** Takes the steps again that come to a place; returns the first property that one of them breaks. */
  async firstBroken(place: Place): Promise<string | undefined> {
    for (const index of this.#byPlace.get(place) ?? []) {
      const [broken] = await this.#steps[index]!();
      if (broken !== undefined) return nameOf(broken);
    }
    return undefined;
  }
}

/** Takes every single step from the states that are known of each scenario. */
export async function singleStepsOf(known: ReadonlyMap<Scenario, KnownSteps>): Promise<SingleSteps> {
  const steps = new SingleSteps();
  for (const [scenario, states] of known) await steps.addAll(scenario, states);
  await steps.addRefunds();
  return steps;
}

function textOf(state: unknown, input: unknown): string {
  return `${JSON.stringify(input)} in ${JSON.stringify(state)}`;
}

/** The name of a property, apart from the error that shows it. */
function nameOf(broken: string): string {
  return broken.split(': ')[0]!;
}
