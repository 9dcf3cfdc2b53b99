import type { Agent, AgentParts } from '../agent/agent.ts';
import type { ActionJournal } from '../agent/lifecycle/action-journal.ts';
import type { ActionStep } from '../agent/lifecycle/action-transition.ts';
import type { Clock } from '../protocol/clock.ts';
import { Fault } from '../protocol/failures.ts';
import type { Random } from '../protocol/ids.ts';
import type { Connector } from '../protocol/link.ts';
import type { StrikeMessage } from '../protocol/line-faults.ts';
import type { Log } from '../protocol/log.ts';
import type { SimulationAct } from '../protocol/messages/sandbox.messages.ts';
import type { CardholderOptions } from './cardholder.ts';
import { createControlLink, logNoControl, type ControlLink, type ControlLinkParts } from './control-link.ts';
import { createPairing, type Pairing, type PairingRequest, type SandboxApi } from './pairing.ts';
import type { ChangeStep } from '../protocol/cardholder-step.ts';
import type { CreateTwinPrinter, OutsidePrinter } from './outside-printer.ts';
import type { CutAroundEffect } from './power-supply.ts';
import { deviceOfType, type DeviceProfile } from './profiles/device-profile.ts';
import {
  createSimulatedTerminal,
  type SimulatedTerminal,
  type SimulationReply,
} from './simulated-terminal.ts';
import type { ReceiptPrinterState, SimulatedTerminalState } from './terminal-state.ts';
import type { LoadedTwin, TillDriver } from './twin-reader.ts';
import { PAYMENT_TERMINALS, RECEIPT_PRINTER } from './twins/twins.ts';

/** An event of a fleet, for display. */
export type FleetActivity =
  | { what: 'started' | 'online' | 'removed'; terminalId: string }
  | { what: 'refused'; terminalId: string; reason: string }
  | { what: 'screen'; terminalId: string; lines: string[] }
  | ({ what: 'stepped'; terminalId: string } & ActionStep)
  | { what: 'simulated'; terminalId: string; act: SimulationAct; outcome: SimulationReply };

export interface FleetParts {
  /** Connects the control link, and the terminals unless `connectTerminal` is given. */
  connect: Connector;
  connectTerminal?: Connector;
  clock: Clock;
  random: Random;
  api: SandboxApi;
  log: Log;
  journalFor(terminalId: string): ActionJournal;
  /** Cardholder of each terminal; taps after a second by default. */
  cardholder?: CardholderOptions;
  /** Overrides the latency of the devices, milliseconds. */
  readLatencyMs?: number | undefined;
  onClock?: AgentParts['onClock'] | undefined;
  /** Conditions of each pairing; by default it is granted in any state of the terminal. */
  pairing?: PairingRequest;
  /** Creates a printer outside a terminal, in place of its own; by default none has one. */
  createPrinter?: (terminalId: string, trace: Agent['tracePrinter']) => OutsidePrinter | undefined;
  /** Called for each event. Without it no events are created. */
  onActivity?: ((activity: FleetActivity) => void) | undefined;
  /** Called for each act on a terminal that no request to the sandbox asked for. */
  onAct?: ((terminalId: string, act: SimulationAct) => void) | undefined;
  /** Loads what an agent is the till of a stand-alone payment terminal with; without it there is none in the fleet. */
  loadTill?: ((language: string) => Promise<TillDriver>) | undefined;
  /** Loads what prints at the twin of a receipt printer; without it there is none in the fleet. */
  loadPrinter?: (() => Promise<CreateTwinPrinter>) | undefined;
  /** Decides before each effect of a terminal's machine whether its power is cut around it; never by default. */
  cutAround?: CutAroundEffect | undefined;
  /** Decides what a cardholder does in place of each step that would go well; never anything else by default. */
  changeStep?: ChangeStep | undefined;
  /** Decides what happens to each message of a stand-alone payment terminal to its till; by default it arrives. */
  strikeMessage?: StrikeMessage | undefined;
}

/** A terminal of a fleet, and what it starts with. */
export interface FleetMember {
  terminalId: string;
  /** The `device.type` of the API, which selects the device profile. */
  deviceType?: string;
  cardholder?: CardholderOptions;
  /** Latency of its reader; that of the fleet or the device unless given. */
  readLatencyMs?: number;
  /** What is beside it: a stand-alone payment terminal, by its language, or `escpos`, a receipt printer. Nothing by default. */
  twin?: string;
  /** State of another terminal, in which this one starts. */
  state?: SimulatedTerminalState;
}

/** Simulated terminals in one process with a shared control link. */
export interface Fleet {
  /**
   * Pairs and starts a terminal. Resolves when it is started, or was removed meanwhile; with the pending result when
   * it was added before. Temporary failures are logged and retried.
   * @throws Fault `server_answer` when the server refuses to pair it; `terminal_state` or `journal` when its state
   *   cannot be used.
   */
  add(member: FleetMember): Promise<void>;
  /** Stops and removes a terminal; does nothing for an unknown one. */
  remove(terminalId: string): Promise<void>;
  /** Returns the started terminals. */
  terminals(): SimulatedTerminal[];
  terminal(terminalId: string): SimulatedTerminal | undefined;
  /** Exports all terminals with their states, as JSON, each for `add` of another fleet. The fleet goes on. */
  exportState(): Promise<FleetMember[]>;
  /** Resolves when the control link has been online once: from then on `/sandbox` calls reach the fleet. */
  controlled(): Promise<void>;
  close(): Promise<void>;
}

interface Slot {
  member: FleetMember;
  gone: AbortController;
  terminal?: SimulatedTerminal;
  added: Promise<void>;
}

export function createFleet(parts: FleetParts): Fleet {
  const pairing = createPairing(parts);
  const slots = new Map<string, Slot>();
  const closing = new AbortController();

  let isRequested = false;
  const perform = (terminalId: string, act: SimulationAct): SimulationReply | undefined => {
    isRequested = true;
    const outcome = slots.get(terminalId)?.terminal?.perform(act);
    isRequested = false;
    if (outcome) parts.onActivity?.({ what: 'simulated', terminalId, act, outcome });
    return outcome;
  };
  const terminals = () => [...slots.values()].flatMap(({ terminal }) => terminal ?? []);
  const control = createControl(parts, { pairing, perform, closing: closing.signal, terminals });
  const begin = async (member: FleetMember, gone: AbortController) => {
    const { terminalId } = member;
    control.begin();
    try {
      const path = `/pairing/terminals/${encodeURIComponent(terminalId)}`;
      const beside = await loadBeside(parts, member);
      const credentials = await pairing.pair(path, gone.signal, parts.pairing);
      const slot = slots.get(terminalId);
      if (!credentials || slot?.gone !== gone) return;
      const onAct = (act: SimulationAct) => void (isRequested || parts.onAct?.(terminalId, act));
      slot.terminal = createSimulatedTerminal({
        ...terminalPartsOf(parts, member, beside),
        credentials,
        onAct,
        onPrinter: () => control.show(slot.terminal),
      });
      slot.terminal.start();
      control.show(slot.terminal);
      parts.onActivity?.({ what: 'started', terminalId });
    } catch (error) {
      if (slots.get(terminalId)?.gone === gone) slots.delete(terminalId);
      throw error;
    }
  };
  const remove = async (terminalId: string) => {
    const slot = slots.get(terminalId);
    if (!slot) return;
    slots.delete(terminalId);
    slot.gone.abort();
    await slot.terminal?.stop();
    parts.onActivity?.({ what: 'removed', terminalId });
  };

  return {
    add(member) {
      if (closing.signal.aborted) return Promise.resolve();
      const known = slots.get(member.terminalId);
      if (known) return known.added;
      const gone = new AbortController();
      const slot = { member, gone, added: Promise.resolve() };
      slots.set(member.terminalId, slot);
      slot.added = begin(member, gone);
      return slot.added;
    },
    remove,
    terminals,
    terminal: (terminalId) => slots.get(terminalId)?.terminal,
    exportState: () => Promise.all([...slots.values()].map((slot) => exported(slot, parts))),
    controlled: () => control.controlled,
    async close() {
      closing.abort();
      await Promise.all([...slots.keys()].map(remove));
      await control.close();
    },
  };
}

/** Exports a terminal with the pace of its fleet, which another fleet may not have. */
async function exported(
  { member, terminal }: { member: FleetMember; terminal?: SimulatedTerminal },
  { readLatencyMs }: FleetParts,
): Promise<FleetMember> {
  const paced = readLatencyMs === undefined ? member : { readLatencyMs, ...member };
  return terminal ? { ...paced, state: await terminal.exportState() } : paced;
}

interface ControlParts extends Pick<ControlLinkParts, 'perform'> {
  pairing: Pairing;
  closing: AbortSignal;
  /** The terminals whose printers are shown each time that the link is online. */
  terminals(): SimulatedTerminal[];
}

/** Creates the control link of a fleet, which opens with the first terminal. */
function createControl({ connect, log }: FleetParts, { pairing, perform, closing, terminals }: ControlParts) {
  let link: ControlLink | undefined;
  let begun = false;
  let onControlled = () => {};
  const controlled = new Promise<void>((resolve) => (onControlled = resolve));

  const show = (terminal: SimulatedTerminal | undefined) => {
    const printer = terminal?.shownPrinter;
    if (printer) link?.showPrinter(terminal.terminalId, printer);
  };
  const open = async () => {
    try {
      const credentials = await pairing.pair('/pairing/simulators', closing);
      if (!credentials) return;
      link = createControlLink({
        credentials,
        connect,
        log,
        perform,
        onOnline() {
          onControlled();
          for (const terminal of terminals()) show(terminal);
        },
      });
      link.open();
    } catch (error) {
      logNoControl(log, error);
    }
  };
  return {
    controlled,
    begin() {
      if (!begun) void open();
      begun = true;
    },
    /** Shows the receipt printer beside a terminal, if there is one. */
    show,
    close: async () => link?.close(),
  };
}

const TAP: CardholderOptions = { script: 'tap' };

/** What is beside a terminal, loaded: a payment terminal that it is the till of, or its receipt printer. */
interface LoadedBeside {
  twin?: LoadedTwin;
  createTwinPrinter?: CreateTwinPrinter;
}

/** @throws Fault `bad_setting` for a name that no such twin has. */
async function loadBeside(
  { loadTill, loadPrinter }: FleetParts,
  { twin }: FleetMember,
): Promise<LoadedBeside> {
  if (twin === undefined) return {};
  if (twin === RECEIPT_PRINTER.name && loadPrinter) return { createTwinPrinter: await loadPrinter() };
  const entry = PAYMENT_TERMINALS.find(({ name }) => name === twin);
  if (!entry || !loadTill)
    throw new Fault('bad_setting', `there is no stand-alone terminal or printer '${twin.slice(0, 40)}'`);
  const [module, driver] = await Promise.all([entry.load(), loadTill(twin)]);
  return { twin: { entry, module, driver } };
}

function deviceOf({ deviceType }: FleetMember, twin: LoadedTwin | undefined): DeviceProfile {
  const device = deviceOfType(deviceType);
  return twin ? { ...device, deviceType: twin.driver.title } : device;
}

function terminalPartsOf(parts: FleetParts, member: FleetMember, { twin, createTwinPrinter }: LoadedBeside) {
  const { terminalId, cardholder, state } = member;
  const { connect, connectTerminal, clock, journalFor, log, onClock, onActivity } = parts;
  const watch: Pick<AgentParts, 'onOnline' | 'onScreen' | 'onStep' | 'onRefused'> = onActivity
    ? {
        onOnline: () => onActivity({ what: 'online', terminalId }),
        onScreen: (lines) => onActivity({ what: 'screen', terminalId, lines }),
        onRefused: (reason) => onActivity({ what: 'refused', terminalId, reason }),
        onStep: (step) => onActivity({ what: 'stepped', terminalId, ...step }),
      }
    : {};
  return {
    terminalId,
    device: deviceOf(member, twin),
    twin,
    connect: connectTerminal ?? connect,
    clock,
    journal: journalFor(terminalId),
    log,
    cardholder: cardholder ?? parts.cardholder ?? TAP,
    state,
    readLatencyMs: member.readLatencyMs ?? parts.readLatencyMs,
    onClock,
    cutAround: parts.cutAround,
    changeStep: parts.changeStep,
    strikeMessage: parts.strikeMessage,
    createPrinter: (trace: Agent['tracePrinter'], printerState?: ReceiptPrinterState) =>
      parts.createPrinter?.(terminalId, trace) ??
      createTwinPrinter?.({ clock, log, trace, state: printerState }),
    ...watch,
  };
}
