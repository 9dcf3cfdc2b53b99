import type { Clock } from '../protocol/clock.ts';
import { messageOf } from '../protocol/failures.ts';
import type { Connector, Link, LinkCredentials, LinkHandlers } from '../protocol/link.ts';
import type { Log } from '../protocol/log.ts';
import {
  decode,
  decodeClock,
  encode,
  envelopeOf,
  type ClockBody,
  type Envelope,
} from '../protocol/message.ts';
import {
  MachineDescribed,
  type CardholderScript,
  type DeviceState,
} from '../protocol/messages/inspection.messages.ts';
import { ReversalRecorded } from '../protocol/messages/reversal.messages.ts';
import { Presence, RequestPresence } from '../protocol/messages/presence.messages.ts';
import { CLOCK_TOPIC, commandFilter, parseTopic } from '../protocol/topics.ts';
import { createDisplay, screenOf, type DisplayParts } from './display.ts';
import { ACTION_MACHINE } from './inspection.ts';
import { ActionHost, type ActionHostState } from './lifecycle/action-host.ts';
import type { ActionRunParts } from './lifecycle/action-run-parts.ts';
import type { ActionJournal } from './lifecycle/action-journal.ts';
import type { ActionStep } from './lifecycle/action-transition.ts';
import type { Printer } from './lifecycle/receipt.ts';
import { withPrinterWords } from './printers/printer-trace.ts';
import { createReaderTrace } from './reader-trace.ts';
import { batchReports } from './report-batches.ts';
import type { DeviceReversal, Reader } from './readers/reader.ts';
import type { FrameTrace } from './readers/frame-channel.ts';
import {
  createReversalReports,
  memoryReversalReports,
  type ReversalReports,
  type ReversalReportStore,
} from './reversal-reports.ts';

export interface AgentParts {
  terminalId: string;
  device: { deviceType: string; firmware: string };
  credentials: LinkCredentials;
  connect: Connector;
  clock: Clock;
  /** Called with each clock message of the server. */
  onClock?: ((body: ClockBody) => void) | undefined;
  reader: Reader;
  printer: Printer;
  journal: ActionJournal;
  log: Log;
  /** Stores reports of reversals; in memory by default. */
  reversalReports?: ReversalReportStore | undefined;
  /** State of another agent, in which this one starts. By default it starts from the journal. */
  state?: ActionHostState | undefined;
  /** Called on each connect, once the terminal has introduced itself. */
  onOnline?: (() => void) | undefined;
  /** Called each time the broker refuses the terminal's credentials, with its reason. */
  onRefused?: ((reason: string) => void) | undefined;
  /** Called whenever the display changes. */
  onScreen?: ((lines: string[]) => void) | undefined;
  /** Called after each step of an action, when the journal is saved and before the effects run. */
  onStep?: ((step: ActionStep) => void) | undefined;
  /** Simulated terminals only: what the cardholder does in the action at the reader. */
  cardholderScript?: (() => CardholderScript) | undefined;
  /** Called before each effect of an action. What it returns is called once the effect has ended. */
  beforeEffect?: ActionRunParts['beforeEffect'];
}

/** A terminal's firmware: the link to the server, the action under way, the reader, the printer, the display. */
export interface Agent {
  /**
   * Restores the action of the journal, or the given state, and opens the link.
   * @throws Fault `journal` when the given state is not one of this firmware, or cannot be saved.
   */
  start(): void;
  /** Exports the action under way and what is kept of those before it. */
  exportState(): ActionHostState;
  /** Publishes that the terminal is offline, and resolves when the link is closed. The journal entry stays. */
  stop(): Promise<void>;
  /** Simulates a power cut: stops at once, without saving or publishing. */
  powerCut(): void;
  /** Simulates a network failure until `networkRestored`. */
  networkCut(): void;
  networkRestored(): void;
  /** Publishes a frame of the reader's connection, masked. */
  trace: FrameTrace;
  /** Publishes bytes of the line of the receipt printer, masked. */
  tracePrinter: FrameTrace;
  /** Reports what came of a reversal that the reader started by itself; after `stop` the next agent sends it. */
  reportReversal(reversal: DeviceReversal): void;
  /** Keeps what the next agent reports unless the returned function is called: what this one cannot say after a power cut. */
  holdReversal(reversal: DeviceReversal): () => void;
  readonly online: boolean;
  readonly screen: string[];
  /** Id and state of the current action; empty when there is none. */
  readonly status: { actionId?: string; state?: string };
}

export function createAgent(given: AgentParts): Agent {
  const { terminalId } = given;
  const parts = { ...given, log: given.log.child({ terminalId }) };
  const off = encode(Presence, terminalId, { online: false });
  let over = false;
  let hasPower = true;
  const unlessOver = (run: () => void) => (over ? undefined : run());

  const link = connectAs(parts, off, {
    online: () => unlessOver(() => connected(parts, { host, reversals, display }, send)),
    offline: () => unlessOver(() => display.show()),
    message: (topic, payload) => unlessOver(() => receive(parts, { host, reversals, send }, topic, payload)),
    refused: (reason) => unlessOver(() => parts.onRefused?.(reason)),
  });
  const publish = batchReports(parts, async (envelope) => (over ? undefined : link.publish(envelope)));
  const host = new ActionHost({
    ...parts,
    isOnline: () => link.online,
    publish,
    onReversal: (reversal) => reversals.add(reversal),
    onStep: (step) => stepped(parts, display, step),
    deviceState: () => deviceStateOf(parts, screenLines()),
  });
  const screenLines = () => screenOf(host.snapshot, link.online, parts.reader.pinEntry?.typedDigits);
  const send = (envelope: Envelope) => void publish(envelope).catch(ignore);
  const sender = { terminalId, isOnline: () => link.online && !over, publish: send };
  const reversals = reversalReportsOf(parts, sender);
  const { display, trace, tracePrinter } = inspectionOf(parts, sender, host, screenLines);
  parts.reader.pinEntry?.onTyped?.(() => unlessOver(() => display.show()));

  return {
    start() {
      host.resume(given.state);
      display.show();
      link.open();
    },
    exportState: () => host.exportState(),
    async stop() {
      if (over) return;
      const said = publish(off).catch(ignore);
      over = true;
      host.stop();
      reversals.stop();
      await said;
      await link.close();
    },
    powerCut() {
      over = true;
      hasPower = false;
      host.stop();
      reversals.stop();
      link.drop();
    },
    trace,
    tracePrinter,
    ...withPower(reversals, () => hasPower),
    networkCut: () => link.drop(),
    networkRestored: () => unlessOver(() => link.open()),
    get online() {
      return link.online;
    },
    get screen() {
      return screenLines();
    },
    get status() {
      return host.status;
    },
  };
}

/** Sends what a terminal reports when it connects, in order. */
function connected(
  parts: AgentParts,
  {
    host,
    reversals,
    display,
  }: { host: ActionHost; reversals: ReversalReports; display: ReturnType<typeof createDisplay> },
  send: (envelope: Envelope) => void,
): void {
  send(presenceOf(parts));
  send(machineOf(parts));
  host.online();
  reversals.online();
  display.connected();
  display.show();
  parts.onOnline?.();
}

function reversalReportsOf(parts: AgentParts, sender: MessageSender): ReversalReports {
  const store = parts.reversalReports ?? memoryReversalReports();
  return createReversalReports({ ...parts, ...sender, store });
}

/** Reports nothing, and keeps what is held, once the power is cut. */
function withPower(
  reversals: ReversalReports,
  hasPower: () => boolean,
): Pick<Agent, 'reportReversal' | 'holdReversal'> {
  return {
    reportReversal: (reversal) => void (hasPower() && reversals.add(reversal)),
    holdReversal(reversal) {
      if (!hasPower()) return () => {};
      const drop = reversals.hold(reversal);
      return () => void (hasPower() && drop());
    },
  };
}

function stepped(
  parts: AgentParts,
  display: Pick<ReturnType<typeof createDisplay>, 'show'>,
  step: ActionStep,
): void {
  parts.log.debug(step, 'step');
  parts.onStep?.(step);
  display.show();
}

function deviceStateOf({ reader, printer, cardholderScript }: AgentParts, display: string[]): DeviceState {
  const { cardAtReader: card } = reader;
  const { sheets: paperSheets } = printer;
  return {
    display,
    ...(card !== undefined && { card }),
    ...(paperSheets !== undefined && { paperSheets }),
    ...(cardholderScript && { cardholder: cardholderScript() }),
  };
}

/** Connects the terminal, with subscriptions to its commands and the clock. */
function connectAs(parts: AgentParts, will: Envelope, handlers: LinkHandlers): Link {
  const { connect, credentials, terminalId } = parts;
  const subscriptions = [commandFilter('terminals', terminalId), CLOCK_TOPIC];
  return connect({ credentials, subscriptions, will, handlers });
}

/** How a part of the agent sends its messages. */
type MessageSender = Pick<DisplayParts, 'terminalId' | 'isOnline' | 'publish'>;

/** Creates the publishers of inspection messages: the display, and the bytes of reader and printer. */
function inspectionOf(
  { clock, onScreen }: AgentParts,
  sender: MessageSender,
  host: ActionHost,
  screenLines: () => string[],
) {
  const shown = () => host.snapshot?.context.start.actionId;
  const running = () => host.status.actionId;
  return {
    display: createDisplay({ ...sender, readLines: screenLines, actionId: shown, onScreen }),
    trace: createReaderTrace({ ...sender, clock, actionId: running }),
    tracePrinter: withPrinterWords(
      createReaderTrace({ ...sender, clock, actionId: running, isPrinter: true }),
      running,
    ),
  };
}

// The same for all terminals of this firmware, of which one process may run thousands.
const MACHINE_DESCRIPTION = Buffer.from(JSON.stringify(ACTION_MACHINE));

function machineOf({ terminalId }: AgentParts): Envelope {
  return envelopeOf(MachineDescribed, terminalId, MACHINE_DESCRIPTION);
}

function presenceOf({ terminalId, device, reader }: AgentParts): Envelope {
  return encode(Presence, terminalId, { online: true, ...device, reader: reader.name });
}

/** A failed publish needs no handling: the link reports its end, and the messages are sent again after a reconnection. */
function ignore(): void {}

/** Handles a message. An invalid one is logged and ignored. */
function receive(
  parts: AgentParts,
  { host, reversals, send }: { host: ActionHost; reversals: ReversalReports; send(envelope: Envelope): void },
  topic: string,
  payload: Uint8Array,
): void {
  try {
    if (topic === CLOCK_TOPIC) return parts.onClock?.(decodeClock(payload));
    const address = parseTopic(topic);
    if (address?.audience !== 'terminals' || address.terminalId !== parts.terminalId) return;
    if (address.channel !== 'commands') return;
    if (address.message === ReversalRecorded.name)
      return reversals.recorded(decode(ReversalRecorded, payload));
    if (address.message === RequestPresence.name) return send(presenceOf(parts));
    host.command(address.message, payload);
  } catch (error) {
    parts.log.warn({ topic, problem: messageOf(error) }, 'a message that cannot be used');
  }
}
