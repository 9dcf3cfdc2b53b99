import type { Numbers, Packet } from './network.ts';
import { deviceWithoutPower, IDLE_DRIVER } from './payment-terminal.ts';
import { placesOf, reachAll, type Place } from './places.ts';
import type { Scenario } from './scenarios.ts';
import { stepServer, type ServerInput } from './server-model.ts';
import type { ServerState } from './server-state.ts';
import { stepTerminal, type TerminalInput, type TerminalState } from './terminal-model.ts';

/** A state of one side by its number in a table, apart from its sequence numbers. */
export interface TerminalAt {
  id: number;
  /** The last number sent, and the last one seen. */
  sent: number;
  seen: number;
}

export interface ServerAt {
  id: number;
  numbers: readonly Numbers[];
}

interface TerminalResult {
  after: TerminalAt;
  sent: Packet[];
  /** What a power cut in the middle of the step leaves: a terminal without power, and what it had sent. */
  cuts: { after: TerminalAt; sent: Packet[] }[];
  broken: string[];
}

interface ServerResult {
  after: ServerAt;
  sent: Packet[];
  asked: boolean;
  broken: string[];
}

export interface StepsOptions {
  /** Steps of earlier explorations of the same scenario, which this one uses and adds to. */
  known?: KnownSteps | undefined;
  /** The place that the mutant of this exploration changes. */
  changed?: Place | undefined;
}

class Table<T> {
  readonly values: T[] = [];
  readonly #ids = new Map<string, number>();

  idOf(value: T): number {
    const key = JSON.stringify(value);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    this.#ids.set(key, this.values.length);
    this.values.push(value);
    return this.values.length - 1;
  }
}

interface Known {
  result: TerminalResult | ServerResult;
  places: ReadonlySet<Place>;
}

/** The states and steps of both sides in one scenario that are the same for all mutants. */
export class KnownSteps {
  readonly terminals = new Table<TerminalState>();
  readonly servers = new Table<ServerState>();
  readonly steps = new Map<string, Known>();
  readonly #places = new Map<string, ReadonlySet<Place>>();

  /** Returns a set of places that is the same object for the same places, since most steps share theirs. */
  shared(places: ReadonlySet<Place>): ReadonlySet<Place> {
    const key = [...places].sort().join();
    const known = this.#places.get(key) ?? places;
    this.#places.set(key, known);
    return known;
  }
}

/**
 * The steps of both sides. Each is taken once: states of the whole differ more often than those of one side. A step that
 * does not come to the place that a mutant changes is the same as without the mutant.
 */
export class LocalSteps {
  readonly #scenario: Scenario;
  readonly #known: KnownSteps;
  readonly #changed: Place | undefined;
  readonly #ofMutant = new Map<string, Known>();

  constructor(scenario: Scenario, { known = new KnownSteps(), changed }: StepsOptions = {}) {
    this.#scenario = scenario;
    this.#known = known;
    this.#changed = changed;
  }

  terminal({ id }: TerminalAt): TerminalState {
    return this.#known.terminals.values[id]!;
  }

  server({ id }: ServerAt): ServerState {
    return this.#known.servers.values[id]!;
  }

  stepTerminal(at: TerminalAt, input: TerminalInput): Promise<TerminalResult> {
    const key = `terminal ${at.id} ${at.sent} ${at.seen} ${JSON.stringify(input)}`;
    return this.#once(key, () => this.#stepTerminal(at, input));
  }

  stepServer(at: ServerAt, input: ServerInput): Promise<ServerResult> {
    const numbers = at.numbers.map(({ sent, seen }) => `${sent}/${seen}`).join();
    const key = `server ${at.id} ${numbers} ${JSON.stringify(input)}`;
    return this.#once(key, () => this.#stepServer(at, input));
  }

  async #once<T extends TerminalResult | ServerResult>(key: string, take: () => T | Promise<T>): Promise<T> {
    const usual = this.#known.steps.get(key);
    const taken = usual && !this.#isChanged(usual) ? usual : this.#ofMutant.get(key);
    if (taken) {
      reachAll(taken.places);
      return taken.result as T;
    }
    const { result, places } = await placesOf(take);
    const step = { result, places: this.#known.shared(places) };
    (this.#isChanged(step) ? this.#ofMutant : this.#known.steps).set(key, step);
    return step.result;
  }

  #isChanged({ places }: Known): boolean {
    return this.#changed !== undefined && places.has(this.#changed);
  }

  async #stepTerminal(at: TerminalAt, input: TerminalInput): Promise<TerminalResult> {
    const before = numbered(this.terminal(at), at);
    const { after, trace, reported, broken } = await stepTerminal(before, input);
    const sentIn = (items: typeof trace) => items.flatMap((item) => ('sent' in item ? [item.sent] : []));
    let journal = before.journal;
    let { device, driver } = reported;
    const cuts = trace.slice(0, -1).map((item, index) => {
      if ('saved' in item) journal = item.saved;
      if ('did' in item) ({ device, driver } = item.at);
      const charged = index === 0 && !('saved' in item) ? before.charged : after.charged;
      return {
        after: this.terminalAt(withoutPower({ ...after, charged, device, driver, journal })),
        sent: sentIn(trace.slice(0, index + 1)),
      };
    });
    return { after: this.terminalAt(after), sent: sentIn(trace), cuts, broken };
  }

  #stepServer(at: ServerAt, input: ServerInput): ServerResult {
    const actions = this.server(at).actions.map((action, index) => {
      const { sent, seen } = at.numbers[index]!;
      return { ...action, row: { ...action.row, sent_seq: sent, seen_seq: seen } };
    });
    const { after, ...result } = stepServer({ actions }, input, this.#scenario);
    return { after: this.serverAt(after), ...result };
  }

  terminalAt(state: TerminalState): TerminalAt {
    const entry = state.host?.action ?? (state.host ? null : state.journal);
    const action = state.host?.action && { ...state.host.action, nextSeq: 0, lastSeqSeen: 0 };
    const journal = !state.host && state.journal ? { ...state.journal, nextSeq: 0, lastSeqSeen: 0 } : null;
    const stored = { ...state, host: state.host && { ...state.host, action: action ?? null }, journal };
    return {
      id: this.#known.terminals.idOf(stored),
      sent: (entry?.nextSeq ?? 1) - 1,
      seen: entry?.lastSeqSeen ?? 0,
    };
  }

  serverAt({ actions }: ServerState): ServerAt {
    const stored = actions.map((action) => ({ ...action, row: { ...action.row, sent_seq: 0, seen_seq: 0 } }));
    const numbers = actions.map(({ row }) => ({ sent: row.sent_seq, seen: row.seen_seq }));
    return { id: this.#known.servers.idOf({ actions: stored }), numbers };
  }
}

/** The same terminal after a power cut: what is left is its journal, and what its bank has charged and was asked for. */
export function withoutPower(state: TerminalState): TerminalState {
  return {
    ...state,
    host: null,
    online: false,
    reader: 'off',
    device: deviceWithoutPower(state.device, state.driver),
    driver: IDLE_DRIVER,
    printing: [],
    reversing: false,
    shown: null,
  };
}

function numbered(state: TerminalState, { sent, seen }: TerminalAt): TerminalState {
  const entryOf = <T extends object>(entry: T | null) =>
    entry && { ...entry, nextSeq: sent + 1, lastSeqSeen: seen };
  if (!state.host) return { ...state, journal: entryOf(state.journal) };
  const action = entryOf(state.host.action);
  return { ...state, host: { ...state.host, action }, journal: action };
}

/** Returns the input of a message that arrives at a terminal. */
export function commandOf(packet: Packet, actionId: string, nowMs: number): TerminalInput {
  const body = JSON.stringify({ ...(JSON.parse(packet.body) as object), actionId, seq: packet.seq });
  return { type: 'command', name: packet.name, body, nowMs };
}
