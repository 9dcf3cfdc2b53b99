import { createAgent, type Agent, type AgentParts } from '../agent/agent.ts';
import type { ActionJournal } from '../agent/lifecycle/action-journal.ts';
import type { Clock } from '../protocol/clock.ts';
import type { Connector, LinkCredentials } from '../protocol/link.ts';
import type { Log } from '../protocol/log.ts';
import type { BodyOf } from '../protocol/message.ts';
import type { SimulationAct, Simulated } from '../protocol/messages/sandbox.messages.ts';
import { createCardholder, type Cardholder, type CardholderOptions } from './cardholder.ts';
import { SUCCESS, failure, type SimulationResult } from './simulation-result.ts';
import {
  createSimulatedPrinter,
  SHEETS_PER_ROLL,
  type PrintedCopy,
  type SimulatedPrinter,
} from './printer.ts';
import type { DeviceProfile } from './profiles/device-profile.ts';
import { VirtualReader } from './virtual-reader.ts';

export interface SimulatedTerminalParts {
  terminalId: string;
  device: DeviceProfile;
  credentials: LinkCredentials;
  connect: Connector;
  clock: Clock;
  /** The terminal's flash memory: survives a simulated power cut. */
  journal: ActionJournal;
  log: Log;
  cardholder: CardholderOptions;
  /** Override those of the device: milliseconds, and minor units by currency. */
  readLatencyMs?: number | undefined;
  contactlessLimitsMinor?: Readonly<Record<string, number>> | undefined;
  onClockOffset?: AgentParts['onClockOffset'] | undefined;
  onOnline?: AgentParts['onOnline'] | undefined;
  onRefused?: AgentParts['onRefused'] | undefined;
  onScreen?: AgentParts['onScreen'] | undefined;
  onStep?: AgentParts['onStep'] | undefined;
}

/** Result of a simulated action with the state of the terminal: `simulated` without its request id. */
export type SimulationReply = Omit<BodyOf<typeof Simulated>, 'requestId'>;

/** A terminal with its simulated surroundings: power, network, paper, cards and cardholder. */
export interface SimulatedTerminal {
  readonly terminalId: string;
  readonly device: DeviceProfile;
  /** Switches the terminal on. */
  start(): void;
  stop(): Promise<void>;
  perform(act: SimulationAct): SimulationReply;
  readonly online: boolean;
  /** Lines of the display, wrapped to its width; empty without power. */
  readonly screen: string[];
  readonly status: Agent['status'];
  /** The last printed copies, newest last. */
  readonly printed: readonly PrintedCopy[];
}

export function createSimulatedTerminal(parts: SimulatedTerminalParts): SimulatedTerminal {
  const { terminalId, device, clock } = parts;
  const reader = new VirtualReader({
    clock,
    interfaces: device.interfaces,
    readLatencyMs: parts.readLatencyMs ?? device.readLatencyMs,
    contactlessLimitsMinor: parts.contactlessLimitsMinor,
  });
  const printer = createSimulatedPrinter(device.hasPrinter ? SHEETS_PER_ROLL : 0);
  const cardholder = createCardholder(clock, reader, parts.cardholder);
  const powerSupply = createPowerSupply(() => createAgent({ ...agentPartsOf(parts), reader, printer }));
  const environment: Environment = { device, reader, printer, cardholder, powerSupply };
  const screen = () => wrap(powerSupply.agent?.screen ?? [], device.screenColumns);

  return {
    terminalId,
    device,
    start: powerSupply.powerOn,
    async stop() {
      await powerSupply.stop();
      await reader.close();
    },
    perform(act) {
      const result = performAct(environment, act);
      const { power, network } = powerSupply;
      return { ...result, terminal: { power, network, paperSheets: printer.sheets, screen: screen() } };
    },
    get online() {
      return powerSupply.agent?.online ?? false;
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
  };
}

interface Environment {
  device: DeviceProfile;
  reader: VirtualReader;
  printer: SimulatedPrinter;
  cardholder: Cardholder;
  powerSupply: ReturnType<typeof createPowerSupply>;
}

function performAct(
  { device, reader, printer, cardholder, powerSupply }: Environment,
  act: SimulationAct,
): SimulationResult {
  const withPower = (result: () => SimulationResult) =>
    powerSupply.agent ? result() : failure('the terminal is switched off');
  switch (act.act) {
    case 'present-card':
      return withPower(() => reader.presentCard(act.card, act.entryMode));
    case 'remove-card':
      return reader.removeCard();
    case 'press-keys':
      return withPower(() => reader.pressKeys(act.keys));
    case 'power':
      if (act.state === 'on') powerSupply.powerOn();
      else powerSupply.powerOff();
      // A reader without power loses its request and the typed PIN.
      if (act.state === 'off') reader.end();
      return SUCCESS;
    case 'network':
      powerSupply.switchNetwork(act.state);
      return SUCCESS;
    case 'paper':
      if (!device.hasPrinter) return failure(`a ${device.deviceType} has no printer`);
      printer.load(act.sheets);
      return SUCCESS;
    case 'cardholder':
      return cardholder.setScript(act);
  }
}

function agentPartsOf(parts: SimulatedTerminalParts): Omit<AgentParts, 'reader' | 'printer'> {
  const { terminalId, credentials, connect, clock, journal, log, onClockOffset } = parts;
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
    onClockOffset,
    onOnline,
    onRefused,
    onScreen: onScreen && ((lines) => onScreen(wrap(lines, screenColumns))),
    onStep,
  };
}

/**
 * Creates the power and network switches. Each power-on boots a new agent, which resumes from the journal; the
 * network can be cut without power.
 */
function createPowerSupply(boot: () => Agent) {
  let agent: Agent | undefined;
  let network: 'on' | 'off' = 'on';
  return {
    get agent() {
      return agent;
    },
    get power(): 'on' | 'off' {
      return agent ? 'on' : 'off';
    },
    get network() {
      return network;
    },
    powerOn() {
      if (agent) return;
      agent = boot();
      agent.start();
      if (network === 'off') agent.networkCut();
    },
    powerOff() {
      agent?.powerCut();
      agent = undefined;
    },
    switchNetwork(state: 'on' | 'off') {
      if (state === network) return;
      network = state;
      if (state === 'off') agent?.networkCut();
      else agent?.networkRestored();
    },
    async stop() {
      const running = agent;
      agent = undefined;
      await running?.stop();
    },
  };
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
