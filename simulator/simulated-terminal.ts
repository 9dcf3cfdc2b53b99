import { createAgent, type Agent, type AgentParts } from '../agent/agent.ts';
import { memoryReversalReports } from '../agent/reversal-reports.ts';
import type { ActionJournal } from '../agent/lifecycle/action-journal.ts';
import type { Clock } from '../protocol/clock.ts';
import type { Connector, LinkCredentials } from '../protocol/link.ts';
import type { ChangeStep, DueStep } from '../protocol/cardholder-step.ts';
import type { DueMessage, StrikeMessage } from '../protocol/line-faults.ts';
import type { Log } from '../protocol/log.ts';
import type { BodyOf } from '../protocol/message.ts';
import type { PrinterShown } from '../protocol/messages/receipt-printer.messages.ts';
import {
  ANSWER_LETTERS_MAX,
  type SimulationAct,
  type Simulated,
} from '../protocol/messages/sandbox.messages.ts';
import { followPace, type ActSchedule } from './act-schedule.ts';
import { createCardholder, type CardholderOptions } from './cardholder.ts';
import { createPowerSupply, powerCuts, type CutAroundEffect } from './power-supply.ts';
import type { SimulationResult } from './simulation-result.ts';
import { conditionOf, exportPrinter, shownOf, watchTwin, type OutsidePrinter } from './outside-printer.ts';
import { createSimulatedPrinter, SHEETS_PER_ROLL, type PrintedCopy } from './printer.ts';
import type { DeviceProfile } from './profiles/device-profile.ts';
import { performAct, POWER_OFF, type Environment } from './terminal-acts.ts';
import {
  parseTerminalState,
  type ReceiptPrinterState,
  type SimulatedTerminalState,
} from './terminal-state.ts';
import { readerAgent, type TerminalReader } from './terminal-reader.ts';
import { TwinReader, type LoadedTwin } from './twin-reader.ts';
import { VirtualReader } from './virtual-reader.ts';

export interface SimulatedTerminalParts {
  terminalId: string;
  device: DeviceProfile;
  credentials: LinkCredentials;
  connect: Connector;
  clock: Clock;
  /** The payment terminal beside it, which reads the cards and has a bank of its own; none by default. */
  twin?: LoadedTwin | undefined;
  /** The terminal's flash memory: survives a simulated power cut. */
  journal: ActionJournal;
  log: Log;
  cardholder: CardholderOptions;
  /**
   * State of another terminal, in which this one starts: it replaces journal and cardholder. By default the terminal
   * starts from the journal, as after a power cut.
   */
  state?: SimulatedTerminalState | undefined;
  /** Override those of the device at any pace: milliseconds, and minor units by currency. */
  readLatencyMs?: number | undefined;
  contactlessLimitsMinor?: Readonly<Record<string, number>> | undefined;
  onClock?: AgentParts['onClock'] | undefined;
  onOnline?: AgentParts['onOnline'] | undefined;
  onRefused?: AgentParts['onRefused'] | undefined;
  onScreen?: AgentParts['onScreen'] | undefined;
  onStep?: AgentParts['onStep'] | undefined;
  /** Decides before each effect of the machine whether the power is cut around it; never by default. */
  cutAround?: CutAroundEffect | undefined;
  /** Decides what happens to each message of the payment terminal beside it; by default it arrives. */
  strikeMessage?: StrikeMessage | undefined;
  /** Decides what the cardholder does in place of each step that would go well; never anything else by default. */
  changeStep?: ChangeStep | undefined;
  /** Creates a printer outside the terminal, in place of its own; undefined for none. It may trace what is on its line. */
  createPrinter?:
    ((trace: Agent['tracePrinter'], state?: ReceiptPrinterState) => OutsidePrinter | undefined) | undefined;
  /** Called when the twin of a receipt printer has changed, or has printed. */
  onPrinter?: (() => void) | undefined;
  /** Called for each act that is performed. */
  onAct?: ((act: SimulationAct) => void) | undefined;
}

/** Result of a simulated action with the state of the terminal: `simulated` without its request id. */
export type SimulationReply = Omit<BodyOf<typeof Simulated>, 'requestId'>;

/** A terminal with its simulated surroundings: power, network, paper, cards and cardholder. */
export interface SimulatedTerminal {
  readonly terminalId: string;
  readonly device: DeviceProfile;
  /** The language of the stand-alone payment terminal beside it; undefined for none. */
  readonly language: string | undefined;
  /**
   * Switches the terminal on. From a given state it continues where that stood, and inquires once it is online.
   * @throws Fault `journal` when the given state is not one of this firmware, or cannot be saved.
   */
  start(): void;
  /**
   * Exports the terminal with its surroundings, for another object to start in. The terminal itself goes on
   * undisturbed. Resolves at the next moment when it waits for a person, the network or a time: after a receipt that
   * is being printed. To have its journal agree with the server's store, let the server commit nothing from before
   * the copy of the store until then. What is under way on the network is not in it: the thawed terminal inquires.
   */
  exportState(): Promise<SimulatedTerminalState>;
  stop(): Promise<void>;
  perform(act: SimulationAct): SimulationReply;
  readonly online: boolean;
  /** Whether it has power and network; without them it connects once somebody switches them on. */
  readonly canConnect: boolean;
  /** Lines of the display, wrapped to its width; empty without power. */
  readonly screen: string[];
  readonly status: Agent['status'];
  /** The last printed copies, newest last. */
  readonly printed: readonly PrintedCopy[];
  /** What is shown of the twin of a receipt printer at which it prints; undefined where there is none. */
  readonly shownPrinter: BodyOf<typeof PrinterShown> | undefined;
}

/** @throws Fault `terminal_state` when the given state is not valid. */
export function createSimulatedTerminal(parts: SimulatedTerminalParts): SimulatedTerminal {
  const { terminalId, device, clock, journal, log } = parts;
  const state = parts.state && parseTerminalState(parts.state);
  const { acts, ...paced } = followPace(parts);
  const reader = createReader({ ...parts, state }, acts);
  const printer = createSimulatedPrinter(device.hasPrinter ? SHEETS_PER_ROLL : 0, state?.printer);
  const tracePrinter: Agent['tracePrinter'] = (...bytes) => powerSupply.agent?.tracePrinter(...bytes);
  const outside = parts.createPrinter?.(tracePrinter, state?.receiptPrinter);
  if (outside && parts.onPrinter) watchTwin(outside, parts.onPrinter);
  const changeStep = (due: Omit<DueStep, 'terminalId'>) => parts.changeStep?.({ terminalId, ...due });
  const cardholderParts = { clock, reader, acts, changeStep };
  const cardholder = createCardholder(cardholderParts, parts.cardholder, state?.cardholder);
  const cardholderScript = () => cardholder.script;
  const reversalReports = memoryReversalReports(state?.reversalReports);
  const powerSupply = createPowerSupply({
    boot: (agentState) => {
      // The reader calls the agent once it works, so it is defined by then.
      const own = reader.switchOn(readerAgent(() => agent));
      const given = { printer: outside ?? printer, state: agentState, beforeEffect, cardholderScript };
      const firmware = { ...agentPartsOf({ ...parts, ...paced }), reversalReports, reader: own };
      const agent: Agent = createAgent({ ...firmware, ...given });
      return agent;
    },
    journal,
    log,
    state: state && withoutCable(state),
  });
  const beforeEffect =
    parts.cutAround && powerCuts(parts.cutAround, () => performAct(environment, POWER_OFF));
  const environment: Environment = { device, reader, printer, outside, cardholder, powerSupply };
  const screen = () => wrap(powerSupply.agent?.screen ?? [], device.screenColumns);

  return {
    terminalId,
    device,
    language: parts.twin?.entry.name,
    start: powerSupply.start,
    async exportState() {
      await turn();
      const reports = reversalReports.load();
      return { ...exported(environment), ...(reports.length > 0 && { reversalReports: reports }) };
    },
    async stop() {
      reader.beforeStop();
      await powerSupply.stop();
      outside?.switchOff?.();
      await reader.close();
    },
    perform(act) {
      parts.onAct?.(act);
      return replyTo(performAct(environment, act), shownState(environment, screen()));
    },
    get online() {
      return powerSupply.agent?.online ?? false;
    },
    get canConnect() {
      return powerSupply.power === 'on' && powerSupply.network === 'on';
    },
    get screen() {
      return screen();
    },
    get status() {
      return powerSupply.agent?.status ?? {};
    },
    get printed() {
      return printer.printed;
    },
    get shownPrinter() {
      return outside?.twin && shownOf(outside.twin.printer);
    },
  };
}

/** Creates the reader in the firmware, or the stand-alone payment terminal beside it. */
function createReader(
  { twin, clock, log, device, state, ...parts }: SimulatedTerminalParts,
  acts: ActSchedule,
): TerminalReader {
  const { terminalId, strikeMessage: strike } = parts;
  const strikeMessage = (due: Omit<DueMessage, 'terminalId'>) => strike?.({ terminalId, ...due });
  if (twin) return new TwinReader({ clock, log, twin, state, strikeMessage });
  return new VirtualReader({
    clock,
    interfaces: device.interfaces,
    acts,
    readLatencyMs: parts.readLatencyMs,
    usualLatencyMs: device.readLatencyMs,
    contactlessLimitsMinor: parts.contactlessLimitsMinor,
    state: state?.reader,
  });
}

/** A cable cannot be copied: with a stand-alone terminal the agent goes on as after a power cut. */
function withoutCable({ agent, twin, ...state }: SimulatedTerminalState): SimulatedTerminalState {
  if (!twin) return { ...state, agent };
  return { ...state, twin, agent: { ...agent, isDormant: agent.action !== null || agent.isDormant } };
}

function exported({
  powerSupply,
  reader,
  cardholder,
  printer,
  outside,
}: Environment): SimulatedTerminalState {
  const { agent, ...power } = powerSupply.exportState();
  return asJson({
    version: 1,
    ...power,
    agent: { ...agent, isDormant: agent.isDormant || (outside?.isPrinting ?? false) },
    ...reader.exportState(),
    cardholder: cardholder.exportState(),
    printer: printer.exportState(),
    ...(outside?.twin && { receiptPrinter: exportPrinter(outside.twin.printer) }),
  });
}

function shownState(
  { reader, printer, outside, cardholder, powerSupply }: Environment,
  screen: string[],
): NonNullable<SimulationReply['terminal']> {
  const { power, network } = powerSupply;
  const { cardAtReader: card, typedDigits } = reader;
  const paperSheets = outside?.sheets ?? printer.sheets;
  const state = { power, network, paperSheets, screen, card, typedDigits, cardholder: cardholder.script };
  return outside?.twin ? { ...state, printer: conditionOf(outside.twin.printer) } : state;
}

function replyTo(
  result: SimulationResult,
  terminal: NonNullable<SimulationReply['terminal']>,
): SimulationReply {
  if (!result.ok || result.answer === undefined) return { ...result, terminal };
  return { ok: true, terminal: { ...terminal, answer: lastLines(result.answer) } };
}

/** Returns the last lines of an answer, as many as a message has room for. */
function lastLines(answer: string): string {
  if (answer.length <= ANSWER_LETTERS_MAX) return answer;
  const kept = answer.slice(EARLIER_LEFT_OUT.length - ANSWER_LETTERS_MAX);
  return EARLIER_LEFT_OUT + kept.slice(kept.indexOf('\n') + 1);
}

const EARLIER_LEFT_OUT = '… earlier left out\n';

function agentPartsOf(parts: SimulatedTerminalParts): Omit<AgentParts, 'reader' | 'printer'> {
  const { terminalId, credentials, connect, clock, journal, log, onClock } = parts;
  const { onOnline, onRefused, onScreen, onStep } = parts;
  const { deviceType, firmware, screenColumns } = parts.device;
  return {
    terminalId,
    device: { deviceType, firmware },
    credentials,
    connect,
    clock,
    journal,
    log,
    onClock,
    onOnline,
    onRefused,
    onScreen: onScreen && ((lines) => onScreen(wrap(lines, screenColumns))),
    onStep,
  };
}

/** One turn of the event loop: what the reader reports and the printer prints takes microtasks, and is over then. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Returns a copy that shares nothing with the original. */
function asJson(state: SimulatedTerminalState): SimulatedTerminalState {
  return JSON.parse(JSON.stringify(state)) as SimulatedTerminalState;
}

/** Wraps lines to the width of the display, at spaces where possible. */
export function wrap(lines: readonly string[], columns: number): string[] {
  return lines.flatMap((line) => {
    const rows: string[] = [];
    let rest = line;
    while (rest.length > columns) {
      const space = rest.lastIndexOf(' ', columns);
      const cut = space > 0 ? space : columns;
      rows.push(rest.slice(0, cut));
      rest = rest.slice(space > 0 ? cut + 1 : cut);
    }
    return [...rows, rest];
  });
}
