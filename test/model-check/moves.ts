import type { ActionEvent } from '../../agent/lifecycle/action-events.ts';
import { ACCEPT_MS } from '../../server/api/in-person/actions/action.machine.ts';
import { isAtPaymentTerminal } from '../../server/api/in-person/actions/action.rules.ts';
import { ActionInquired } from '../../protocol/messages/action.messages.ts';
import { actionIdOf, indexOfAction, NOW_MS, type ReaderState } from './fixtures.ts';
import { commandOf, withoutPower, type LocalSteps, type TerminalAt } from './local-steps.ts';
import type { ModelState } from './model-state.ts';
import { describePacket, without, type Packet, type Way } from './network.ts';
import { deviceInputsOf, outcomeAt, readerStepsOf } from './payment-terminal.ts';
import { eventsOrRefusal, isOffered } from './refusals.ts';
import type { Scenario } from './scenarios.ts';
import { CONFIRMATIONS, isUsual } from './usual-steps.ts';
import { startsAction, type ServerInput } from './server-model.ts';
import { currentAction } from './server-state.ts';
import { snapshotOf, type TerminalInput } from './terminal-model.ts';

/** A transition of the whole. */
interface Move {
  label: string;
  next: ModelState;
  broken: string[];
  /** Whether it is a step of a run in which nothing goes wrong, and nobody waits for a time-out. */
  usual: boolean;
}

const NOTHING: Way = { queue: [], late: [] };

/** Returns everything that can happen next, faults included. */
export async function movesFrom(steps: LocalSteps, scenario: Scenario, state: ModelState): Promise<Move[]> {
  return new Moves(steps, scenario, state).all();
}

class Moves {
  readonly #steps: LocalSteps;
  readonly #scenario: Scenario;
  readonly #state: ModelState;
  readonly #moves: Move[] = [];

  constructor(steps: LocalSteps, scenario: Scenario, state: ModelState) {
    this.#steps = steps;
    this.#scenario = scenario;
    this.#state = state;
  }

  async all(): Promise<Move[]> {
    await this.#arrivals();
    await this.#atTerminal();
    await this.#atServer();
    if (this.#state.faultsLeft > 0) this.#faults();
    return this.#moves;
  }

  #add(label: string, next: ModelState, { broken = [], usual = false }: Partial<Move> = {}): void {
    this.#moves.push({ label, next, broken, usual });
  }

  #fault(label: string, next: ModelState): void {
    this.#add(`FAULT ${label}`, { ...next, faultsLeft: this.#state.faultsLeft - 1, inStep: false });
  }

  async #arrivals(): Promise<void> {
    const { toTerminal, toServer } = this.#state;
    const [command] = toTerminal.queue;
    const [report] = toServer.queue;
    if (command) {
      const rest = { ...this.#state, toTerminal: { ...toTerminal, queue: toTerminal.queue.slice(1) } };
      await this.#commandArrives(rest, command, '');
    }
    if (report) {
      await this.#reportArrives(
        { ...this.#state, toServer: { ...toServer, queue: toServer.queue.slice(1) } },
        report,
        '',
      );
    }
    for (const [index, packet] of toTerminal.late.entries()) {
      const rest = { ...this.#state, toTerminal: { ...toTerminal, late: without(toTerminal.late, index) } };
      await this.#commandArrives(rest, packet, 'late ');
    }
    for (const [index, packet] of toServer.late.entries()) {
      const rest = { ...this.#state, toServer: { ...toServer, late: without(toServer.late, index) } };
      await this.#reportArrives(rest, packet, 'late ');
    }
  }

  async #commandArrives(rest: ModelState, packet: Packet, late: string): Promise<void> {
    const terminal = this.#steps.terminal(rest.terminal);
    const label = `terminal receives ${late}${describePacket(packet)}`;
    if (!terminal.host || !terminal.online) return this.#add(`${label}, in vain: it is offline`, rest);
    const row = this.#steps.server(rest.server).actions[packet.action!]?.row;
    const expired = startsAction(packet) && row?.error_code === 'terminal_offline';
    const either = startsAction(packet) && late !== '' && row?.phase !== 'sent';
    const actionId = actionIdOf(packet.action!);
    if (!expired) await this.#step(label, rest, commandOf(packet, actionId, NOW_MS));
    if (expired || either)
      await this.#step(`${label}, expired`, rest, commandOf(packet, actionId, NOW_MS + ACCEPT_MS + 1));
  }

  async #reportArrives(rest: ModelState, packet: Packet, late: string): Promise<void> {
    const label = `server receives ${late}${describePacket(packet)}`;
    if (!rest.connected) {
      const inStep = rest.inStep && packet.name !== ActionInquired.name;
      return this.#add(`${label}, in vain: it is not connected`, { ...rest, inStep });
    }
    const asked = await this.#serve(label, rest, { type: 'report', packet, outcome: 'approved' });
    if (asked)
      await this.#serve(`${label}: the issuer declines`, rest, {
        type: 'report',
        packet,
        outcome: 'declined',
      });
  }

  /** What happens at the terminal by itself: power, network, cardholder, printer, bank of the device, timers. */
  async #atTerminal(): Promise<void> {
    const state = this.#state;
    const terminal = this.#steps.terminal(state.terminal);
    for (const what of deviceInputsOf(terminal))
      await this.#step(`the payment terminal: ${what}`, state, { type: 'device', what });
    if (!terminal.host) return this.#step('terminal is switched on', state, { type: 'powerOn' });
    if (!terminal.online) await this.#step('terminal connects', state, { type: 'online' });
    for (const { event, next, takesTime } of readerStepsOf(this.#scenario, terminal)) {
      if (event.type === 'card.missing' && isMissing(terminal.host.action)) continue;
      if (!takesTime || this.#isQuiet()) await this.#event(event, next);
    }
    for (const copy of terminal.printing) {
      await this.#event({ type: 'copy.printed', copy });
      await this.#event({ type: 'copy.failed', copy, reason: 'noPaper' });
    }
    if (terminal.reversing) {
      await this.#event({ type: 'device.reversed' });
      if (this.#scenario.card === 'device alone') await this.#leftToPerson();
      await this.#event({ type: 'device.reversalFailed', reason: 'busy' });
    }
    if (!terminal.host.action || terminal.host.isDormant || !this.#isQuiet()) return;
    const { deadlineMs, askAgainMs } = snapshotOf(terminal.host.action).context;
    if (deadlineMs !== null)
      await this.#step('terminal: deadline passes', state, { type: 'timer', timer: 'deadline' });
    if (askAgainMs !== null)
      await this.#step('terminal: retry is due', state, { type: 'timer', timer: 'retry' });
  }

  /** The payment terminal does not reverse an approval, or does not say that it has: a person is told. */
  #leftToPerson(): Promise<void> {
    const event = { type: 'device.reversed' } as const;
    return this.#step('at the terminal: not reversed, a person has to', this.#state, {
      type: 'event',
      event,
      isLeft: true,
    });
  }

  /** Messages in order take no time. What takes longer is late. */
  #isQuiet(): boolean {
    return this.#state.toTerminal.queue.length + this.#state.toServer.queue.length === 0;
  }

  #event(event: ActionEvent, reader?: ReaderState): Promise<void> {
    const detail = 'copy' in event ? ` ${event.copy}` : '';
    const input: TerminalInput = { type: 'event', event, ...(reader && { reader }) };
    return this.#step(`at the terminal: ${event.type}${detail}`, this.#state, input);
  }

  /** What happens at the server by itself: its connection, the point of sale, its deadlines. */
  async #atServer(): Promise<void> {
    const state = this.#state;
    if (!state.connected)
      await this.#serve('server connects', { ...state, connected: true }, { type: 'connect' });
    const server = this.#steps.server(state.server);
    const terminal = this.#steps.terminal(state.terminal);
    const current = currentAction(server);
    if (!current) {
      if (server.actions.length < this.#scenario.actions)
        await this.#serve('point of sale starts the next', state, { type: 'start' });
      return;
    }
    if (!isAtPaymentTerminal(current.row))
      await this.#serve('point of sale cancels', state, { type: 'cancel' });
    const outcome = isOffered(current.row) && outcomeAt(terminal, indexOfAction(current.row.id)!);
    if (outcome) await this.#serve(`a person settles it: ${outcome}`, state, { type: 'settle', outcome });
    if (this.#isQuiet() && current.row.deadline_ms !== null)
      await this.#serve('server: deadline passes', state, { type: 'deadline' });
    for (const confirmation of CONFIRMATIONS) {
      if (!eventsOrRefusal(current.row, confirmation)) continue;
      await this.#serve(`point of sale confirms ${JSON.stringify(confirmation)}`, state, {
        type: 'confirm',
        confirmation,
      });
    }
  }

  #faults(): void {
    for (const side of ['toTerminal', 'toServer'] as const) {
      const way = this.#state[side];
      for (const [index, packet] of way.queue.entries()) {
        const what = `${describePacket(packet)} (${side === 'toTerminal' ? 'command' : 'report'})`;
        const queue = without(way.queue, index);
        this.#fault(`lost: ${what}`, { ...this.#state, [side]: { ...way, queue } });
        this.#fault(`late: ${what}`, {
          ...this.#state,
          [side]: { queue, late: [...way.late, packet] },
        });
        this.#fault(`repeated: ${what}`, {
          ...this.#state,
          [side]: { ...way, late: [...way.late, packet] },
        });
      }
    }
    this.#disconnections();
  }

  #disconnections(): void {
    const state = this.#state;
    const terminal = this.#steps.terminal(state.terminal);
    const off = this.#disconnected(state);
    if (terminal.host && terminal.online) {
      this.#fault('network cut', off);
      if (off.toServer.queue.length > 0)
        this.#fault('network cut, with the reports', { ...off, toServer: { ...off.toServer, queue: [] } });
    }
    if (terminal.host)
      this.#fault('power cut', { ...off, terminal: this.#steps.terminalAt(this.#unpowered()) });
    if (!state.connected) return;
    this.#fault('server is killed', this.#killed(state));
    this.#fault('server loses its broker', {
      ...state,
      connected: false,
      toServer: { ...state.toServer, queue: [] },
    });
  }

  #unpowered() {
    const { terminal } = this.#state;
    const { sent, seen } = terminal;
    const stored = this.#steps.terminal(terminal);
    const { host } = stored;
    return withoutPower({
      ...stored,
      journal: host?.action ? { ...host.action, nextSeq: sent + 1, lastSeqSeen: seen } : null,
    });
  }

  /** The same without the terminal's connection: what was on its way to it is gone. */
  #disconnected(state: ModelState): ModelState {
    const stored = this.#steps.terminal(state.terminal);
    const terminal = this.#withNumbers({ ...stored, online: false }, state.terminal);
    return { ...state, terminal, toTerminal: { ...NOTHING, late: state.toTerminal.late } };
  }

  #withNumbers(stored: ReturnType<LocalSteps['terminal']>, { sent, seen }: TerminalAt): TerminalAt {
    return { ...this.#steps.terminalAt(stored), sent, seen };
  }

  /** The server is killed, and with it its broker: all connections and what was on its way. */
  #killed(state: ModelState): ModelState {
    const off = this.#disconnected(state);
    return { ...off, connected: false, toServer: { ...NOTHING, late: state.toServer.late } };
  }

  async #step(label: string, state: ModelState, input: TerminalInput): Promise<void> {
    const { after, sent, cuts, broken } = await this.#steps.stepTerminal(state.terminal, input);
    const queue = [...state.toServer.queue, ...sent];
    const inStep = state.inStep || sent.some(({ name }) => name === ActionInquired.name);
    const next = { ...state, terminal: after, toServer: { ...state.toServer, queue }, inStep };
    this.#add(label, next, { broken, usual: isUsual(input) });
    if (state.faultsLeft === 0) return;
    for (const cut of cuts) {
      const left = { ...state.toServer, queue: [...state.toServer.queue, ...cut.sent] };
      const toTerminal = { ...NOTHING, late: state.toTerminal.late };
      this.#fault(`power cut while: ${label}`, { ...state, terminal: cut.after, toServer: left, toTerminal });
    }
  }

  /** Takes a step of the server. Returns whether the issuer was asked. */
  async #serve(label: string, state: ModelState, input: ServerInput): Promise<boolean> {
    const { after, sent, asked, broken } = await this.#steps.stepServer(state.server, input);
    const { host, online } = this.#steps.terminal(state.terminal);
    const reaches = host !== null && online && state.connected;
    const { toTerminal } = state;
    const queue = reaches ? [...toTerminal.queue, ...sent] : toTerminal.queue;
    const next = { ...state, server: after, toTerminal: { ...toTerminal, queue } };
    this.#add(label, next, { broken, usual: isUsual(input) });
    if (state.faultsLeft > 0 && sent.length > 0 && reaches)
      this.#fault(`server is killed after: ${label}`, this.#killed({ ...state, server: after }));
    return asked;
  }
}

function isMissing(action: { snapshot: unknown } | null): boolean {
  return (
    (action as { snapshot: { context: { cardMissing?: boolean } } }).snapshot.context.cardMissing === true
  );
}
