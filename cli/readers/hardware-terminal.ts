import { join, basename } from 'node:path';
import type { Agent } from '../../agent/agent.ts';
import { createReaderTerminal } from '../../agent/reader-terminal.ts';
import { fileJournal } from '../../agent/lifecycle/action-journal.ts';
import { acceptAnyCard, acceptTestCards } from '../../agent/readers/card-policy.ts';
import { fileKeyCounter } from '../../agent/readers/card-protection.ts';
import type { DriverEntry } from '../../agent/readers/driver.ts';
import { filePendingReversals } from '../../agent/readers/pending-reversal-store.ts';
import { fileReversalReports } from '../../agent/reversal-reports.ts';
import { SystemClock } from '../../protocol/clock.ts';
import { Fault } from '../../protocol/failures.ts';
import type { Connector } from '../../protocol/link.ts';
import type { Log } from '../../protocol/log.ts';
import type { SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import { createControlLink, logNoControl } from '../../simulator/control-link.ts';
import { failure, type SimulationResult } from '../../simulator/simulation-result.ts';
import { createPairing, type Pairing, type SandboxApi } from '../../simulator/pairing.ts';
import { createSimulatedPinPad, type SimulatedPinPad } from '../../simulator/pin-pad.ts';
import { createSimulatedPrinter } from '../../simulator/printer.ts';
import type { SimulationReply } from '../../simulator/simulated-terminal.ts';
import { commandConnector } from '../terminals/command-connector.ts';
import { commandLog, type LogOptions } from '../log/command-log.ts';
import { devicePort } from './reader-port.ts';
import type { ReceiptPrinter } from './receipt-printer.ts';
import type { TerminalSettings } from './terminal-settings.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import type { ServerApi } from '../client/api-client.ts';
import { ensureDefaultLocation } from '../server/default-terminal.ts';

/** Country of the terminal, ISO 3166-1 numeric: the United Kingdom, as the default location. */
const COUNTRY_CODE = '826';

export interface HardwareTerminalParts {
  options: LogOptions & {
    mqtt: string | undefined;
    url: string;
    dataDir: string;
    allowAnyCard: boolean;
    allowRealTerminal: boolean;
  };
  api: SandboxApi;
  terminalId: string;
  driver: DriverEntry;
  port: string;
  settings: TerminalSettings;
  /** Prints the receipts; by default they are passed to `onPrinted`. */
  printer?: ReceiptPrinter | undefined;
  onScreen(lines: string[]): void;
  onPrinted(text: string): void;
  /** Called on each connect. */
  onOnline(): void;
  /** Called each time the broker refuses the terminal's credentials. */
  onRefused(reason: string): void;
}

export interface HardwareTerminal {
  readonly pinPad: SimulatedPinPad;
  close(): Promise<void>;
}

/**
 * Starts a terminal in this process with a reader at a port. Its printer and PIN pad are simulated; card data is
 * encrypted with the keys from its pairing. Resolves with undefined when interrupted.
 * @throws Fault `server_answer` when the server refuses to pair it.
 */
export async function startHardwareTerminal(
  context: CommandContext,
  parts: HardwareTerminalParts,
): Promise<HardwareTerminal | undefined> {
  const { options, api, terminalId, driver, port } = parts;
  const log = commandLog(context, options);
  const clock = new SystemClock();
  const { random, interrupted } = context;
  const connect = commandConnector(context, { options, clock, log });
  const pairing = createPairing({ api, clock, random, log });
  const paired = await pairing.pair(`/pairing/terminals/${encodeURIComponent(terminalId)}`, interrupted);
  if (!paired) return undefined;
  if (!paired.keys) {
    throw new Fault('bad_setting', 'these credentials have no keys for card data: pair the terminal again');
  }
  const place = join(options.dataDir, 'terminals', terminalId);
  const pinPad = createSimulatedPinPad();
  const shown = createSimulatedPrinter();
  const terminal = createReaderTerminal({
    terminalId,
    driver: await driver.load(),
    title: driver.title,
    credentials: paired,
    keys: paired.keys,
    counter: fileKeyCounter(`${place}.keys.json`, { sync: true }),
    journal: fileJournal(`${place}.json`, { sync: true }),
    reversalReports: fileReversalReports(`${place}.reversals.json`, { sync: true }),
    pendingReversals: filePendingReversals(`${place}.debts.json`, { sync: true }),
    connect,
    ...devicePort(port, driver, parts.settings.ca),
    terminalSettings: parts.settings.members,
    clock,
    random,
    log,
    pinPad,
    cards: options.allowAnyCard ? acceptAnyCard : acceptTestCards,
    allowRealTerminal: options.allowRealTerminal,
    countryCode: COUNTRY_CODE,
    onClock: ({ offsetMs }) => clock.setOffset(offsetMs),
    printer: parts.printer?.create({ clock, log, trace: (...bytes) => agent.tracePrinter(...bytes) }) ?? {
      async print(copy, text) {
        const outcome = await shown.print(copy, text);
        if (outcome === 'printed') parts.onPrinted(text);
        return outcome;
      },
    },
    onScreen: parts.onScreen,
    onOnline: parts.onOnline,
    onRefused: parts.onRefused,
  });
  const { agent } = terminal;
  agent.start();
  // The terminal takes payments without it.
  const control = await openControl({ connect, pairing, log, interrupted, terminalId, pinPad, agent }).catch(
    (error: unknown) => logNoControl(log, error),
  );
  return {
    pinPad,
    async close() {
      await control?.close();
      await terminal.close();
      await parts.printer?.close();
    },
  };
}

interface ControlParts {
  connect: Connector;
  pairing: Pairing;
  log: Log;
  interrupted: AbortSignal;
  terminalId: string;
  pinPad: SimulatedPinPad;
  agent: Agent;
}

/**
 * Opens the control link, which passes `/sandbox/terminals/{id}/press-keys` to the PIN pad. A real reader has no
 * other simulator calls.
 */
async function openControl({ connect, pairing, log, interrupted, ...parts }: ControlParts) {
  const credentials = await pairing.pair('/pairing/simulators', interrupted);
  if (!credentials) return undefined;
  const perform = (terminalId: string, act: SimulationAct): SimulationReply | undefined => {
    if (terminalId !== parts.terminalId) return undefined;
    const terminal = { power: 'on', network: 'on', paperSheets: 0, screen: parts.agent.screen } as const;
    return { ...resultOf(parts.pinPad, act), terminal };
  };
  const link = createControlLink({ credentials, connect, log, perform });
  link.open();
  return link;
}

function resultOf(pinPad: SimulatedPinPad, act: SimulationAct): SimulationResult {
  return act.act === 'press-keys'
    ? pinPad.press(act.keys)
    : failure('this terminal has a real reader: only its PIN pad can be pressed from here');
}

const SERIAL_LETTERS_MAX = 40; // docs/choices.md, Serial numbers
const NAME_LETTERS_MAX = 50; // server/api/in-person/terminals/terminal.schema.ts

/**
 * Returns the id of the terminal for a reader at a port. Registers it the first time, and finds it again by its
 * serial number, such as `PN532-ttyUSB0`. A long port name, as in /dev/serial/by-id, is cut at the start, because its
 * end identifies the device.
 */
export async function ensureReaderTerminal(api: ServerApi, driver: string, port: string): Promise<string> {
  const place = basename(port).replaceAll(/[^A-Za-z0-9]+/g, '-');
  const family = driver.toUpperCase();
  const end = place.slice(-(SERIAL_LETTERS_MAX - family.length - 1)).replaceAll(/^-+|-+$/g, '');
  const serialNumber = `${family}-${end}`;
  const terminals = await api.list('GET /v1/in-person/terminals');
  const known = terminals.find(({ device }) => device.serialNumber === serialNumber);
  if (known) return known.id;
  const location = await ensureDefaultLocation(api);
  const body = {
    serialNumber,
    locationId: location.id,
    name: `${driver} at ${port}`.slice(0, NAME_LETTERS_MAX),
  };
  return (await api.call('POST /v1/in-person/terminals', { body })).id;
}
