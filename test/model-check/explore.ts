import { LocalSteps } from './local-steps.ts';
import { canonical, isSettled, keyOf, type ModelState } from './model-state.ts';
import { movesFrom } from './moves.ts';
import { PROPERTIES } from './properties.ts';
import type { Scenario } from './scenarios.ts';
import { NEW_TERMINAL } from './terminal-model.ts';

interface Limits {
  /** Steps from the start; Infinity for all states that there are. */
  depth: number;
  /** Faults in one run. */
  faults: number;
  /** Whether to stop at the first violation. */
  first?: boolean;
}

/** A property that does not hold, and the steps that show it. */
interface Violation {
  property: string;
  steps: string[];
}

export interface Result {
  scenario: string;
  states: number;
  transitions: number;
  /** Steps to the state that is farthest from the start. */
  depth: number;
  /** Whether every reachable state was visited. */
  complete: boolean;
  settled: number;
  violations: Violation[];
}

/** Visits every state of a scenario within the limits, nearest first. */
export async function explore(scenario: Scenario, limits: Limits): Promise<Result> {
  return new Exploration(scenario, limits).run();
}

class Exploration {
  readonly #scenario: Scenario;
  readonly #limits: Limits;
  readonly #steps: LocalSteps;
  readonly #ids = new Map<string, number>();
  readonly #states: (ModelState | undefined)[] = [];
  readonly #parents: number[] = [];
  readonly #labels: string[] = [];
  readonly #depths: number[] = [];
  /** States that lead to each state without a fault. */
  readonly #before: number[][] = [];
  readonly #good: number[] = [];
  readonly #violations = new Map<string, Violation>();
  #transitions = 0;

  constructor(scenario: Scenario, limits: Limits) {
    this.#scenario = scenario;
    this.#limits = limits;
    this.#steps = new LocalSteps(scenario);
  }

  async run(): Promise<Result> {
    this.#visit(this.#start(), -1, 'point of sale starts the action');
    let complete = true;
    for (let id = 0; id < this.#states.length; id += 1) {
      if (this.#limits.first && this.#violations.size > 0) break;
      if (this.#depths[id]! >= this.#limits.depth) {
        complete = false;
        this.#good.push(id); // not known to be stuck
      } else await this.#expand(id);
    }
    if (!(this.#limits.first && this.#violations.size > 0)) this.#findStuck();
    return {
      scenario: this.#scenario.name,
      states: this.#states.length,
      transitions: this.#transitions,
      depth: this.#depths.at(-1)!,
      complete,
      settled: this.#good.length,
      violations: [...this.#violations.values()],
    };
  }

  #start(): ModelState {
    const empty = this.#steps.serverAt({ actions: [] });
    const { after, sent } = this.#steps.stepServer(empty, { type: 'start' });
    return {
      terminal: this.#steps.terminalAt(NEW_TERMINAL),
      server: after,
      connected: true,
      toTerminal: { queue: sent, late: [] },
      toServer: { queue: [], late: [] },
      faultsLeft: this.#limits.faults,
    };
  }

  async #expand(id: number): Promise<void> {
    const state = this.#states[id]!;
    this.#states[id] = undefined;
    for (const { label, next, broken } of await movesFrom(this.#steps, this.#scenario, state)) {
      this.#transitions += 1;
      const to = this.#visit(next, id, label);
      if (next.faultsLeft === state.faultsLeft && to !== id) this.#before[to]!.push(id);
      for (const property of broken) this.#violate(property, [...this.#pathTo(id), label]);
    }
  }

  #visit(state: ModelState, from: number, label: string): number {
    const next = canonical(this.#steps, state);
    const key = keyOf(next);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#states.length;
    this.#ids.set(key, id);
    this.#states.push(next);
    this.#parents.push(from);
    this.#labels.push(label);
    this.#depths.push(from < 0 ? 0 : this.#depths[from]! + 1);
    this.#before.push([]);
    const settled = isSettled(this.#steps, next);
    if (settled) this.#good.push(id);
    const terminal = this.#steps.terminal(next.terminal);
    const server = this.#steps.server(next.server);
    for (const { name, holds } of PROPERTIES)
      if (holds && !holds({ state: next, terminal, server, settled, scenario: this.#scenario }))
        this.#violate(name, this.#pathTo(id));
    return id;
  }

  #violate(property: string, steps: string[]): void {
    const [name, ...detail] = property.split(': ');
    if (this.#violations.has(name!)) return;
    this.#violations.set(name!, { property: name!, steps: [...steps, ...detail] });
  }

  #pathTo(id: number): string[] {
    const steps: string[] = [];
    for (let at = id; at >= 0; at = this.#parents[at]!) steps.unshift(this.#labels[at]!);
    return steps;
  }

  /** Finds the nearest state from which no run without further faults settles. */
  #findStuck(): void {
    const reaches = new Uint8Array(this.#states.length);
    const open = [...this.#good];
    for (const id of open) reaches[id] = 1;
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      for (const from of this.#before[id]!) {
        if (reaches[from]) continue;
        reaches[from] = 1;
        open.push(from);
      }
    }
    const stuck = reaches.indexOf(0);
    if (stuck >= 0) this.#violate('nothingStuck', this.#pathTo(stuck));
  }
}
