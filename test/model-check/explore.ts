import { ActionInquired } from '../../protocol/messages/action.messages.ts';
import { LocalSteps, type StepsOptions } from './local-steps.ts';
import { canonical, isQuiet, isSettled, keyOf, type ModelState } from './model-state.ts';
import { movesFrom } from './moves.ts';
import type { Packet } from './network.ts';
import { PROPERTIES } from './properties.ts';
import type { Scenario } from './scenarios.ts';
import type { ServerState } from './server-state.ts';
import { NEW_TERMINAL } from './terminal-model.ts';

export interface Limits {
  /** Steps from the start; Infinity for all states that there are. */
  depth: number;
  /** Faults in one run. */
  faults: number;
  /** States; all that there are by default. */
  states?: number;
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
export async function explore(scenario: Scenario, limits: Limits, options?: StepsOptions): Promise<Result> {
  return new Exploration(scenario, limits, options).run();
}

const FIRST_INQUIRY: Packet = { name: ActionInquired.name, action: null, seq: 1, body: '{}' };

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
  /** States that lead to each state in a run in which nothing goes wrong. */
  readonly #usualBefore: number[][] = [];
  readonly #good: number[] = [];
  readonly #succeeded: number[] = [];
  readonly #violations = new Map<string, Violation>();
  #transitions = 0;

  constructor(scenario: Scenario, limits: Limits, options?: StepsOptions) {
    this.#scenario = scenario;
    this.#limits = limits;
    this.#steps = new LocalSteps(scenario, options);
  }

  async run(): Promise<Result> {
    const { states: statesMax = Infinity } = this.#limits;
    this.#visit(await this.#start(), -1, 'point of sale starts the action');
    let complete = true;
    for (let id = 0; id < this.#states.length; id += 1) {
      if (this.#limits.first && this.#violations.size > 0) break;
      if (this.#depths[id]! >= this.#limits.depth || this.#states.length >= statesMax) {
        complete = false;
        this.#good.push(id); // not known to be stuck
        this.#succeeded.push(id);
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

  async #start(): Promise<ModelState> {
    const empty = this.#steps.serverAt({ actions: [] });
    const { after, sent } = await this.#steps.stepServer(empty, { type: 'start' });
    return {
      terminal: this.#steps.terminalAt(NEW_TERMINAL),
      server: after,
      connected: true,
      toTerminal: { queue: sent, late: [] },
      // The terminal has just connected: its inquiry may arrive before or, after a fault, late or twice.
      toServer: { queue: [FIRST_INQUIRY], late: [] },
      faultsLeft: this.#limits.faults,
      inStep: true,
    };
  }

  async #expand(id: number): Promise<void> {
    const state = this.#states[id]!;
    this.#states[id] = undefined;
    for (const { label, next, broken, usual } of await movesFrom(this.#steps, this.#scenario, state)) {
      this.#transitions += 1;
      const to = this.#visit(next, id, label);
      if (next.faultsLeft === state.faultsLeft && to !== id) this.#before[to]!.push(id);
      if (usual) this.#usualBefore[to]!.push(id);
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
    this.#usualBefore.push([]);
    const settled = isSettled(this.#steps, next);
    if (settled) this.#good.push(id);
    const seen = {
      state: next,
      terminal: this.#steps.terminal(next.terminal),
      server: this.#steps.server(next.server),
      settled,
      quiet: isQuiet(this.#steps, next),
      scenario: this.#scenario,
    };
    if (settled && haveSucceeded(seen.server, this.#scenario)) this.#succeeded.push(id);
    for (const { name, holds } of PROPERTIES)
      if (holds && !holds(seen)) this.#violate(name, this.#pathTo(id));
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

  /** Finds the nearest state from which no run without further faults settles, or none that is usual succeeds. */
  #findStuck(): void {
    const settles = this.#reaching(this.#good, this.#before);
    const stuck = settles.indexOf(0);
    if (stuck >= 0) this.#violate('nothingStuck', this.#pathTo(stuck));
    const succeeds = this.#reaching(this.#succeeded, this.#usualBefore);
    const usual = new Set([0]);
    // A state comes after those that lead to it first, not after all that lead to it.
    for (let size = 0; size < usual.size;) {
      size = usual.size;
      for (let id = 1; id < this.#states.length; id += 1)
        if (!usual.has(id) && this.#usualBefore[id]!.some((from) => usual.has(from))) usual.add(id);
    }
    const failing = [...usual].find((id) => !succeeds[id]);
    if (failing !== undefined) this.#violate('canSucceed', this.#pathTo(failing));
  }

  #reaching(ends: readonly number[], before: readonly number[][]): Uint8Array {
    const reaches = new Uint8Array(this.#states.length);
    const open = [...ends];
    for (const id of open) reaches[id] = 1;
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      for (const from of before[id]!) {
        if (reaches[from]) continue;
        reaches[from] = 1;
        open.push(from);
      }
    }
    return reaches;
  }
}

function haveSucceeded({ actions }: ServerState, scenario: Scenario): boolean {
  return actions.length === scenario.actions && actions.every(({ row }) => row.status === 'Succeeded');
}
