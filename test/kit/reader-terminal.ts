import { memoryJournal } from '../../agent/lifecycle/action-journal.ts';
import type { Agent } from '../../agent/agent.ts';
import type { CardTechnology } from '../../agent/emv/card-connection.ts';
import type { Printer } from '../../agent/lifecycle/receipt.ts';
import type { OpenPort } from '../../agent/readers/byte-port.ts';
import type { FrameTrace } from '../../agent/readers/frame-channel.ts';
import { acceptTestCards } from '../../agent/readers/card-policy.ts';
import { memoryKeyCounter } from '../../agent/readers/card-protection.ts';
import { findDriver } from '../../agent/readers/drivers.ts';
import { createReaderTerminal } from '../../agent/reader-terminal.ts';
import type { Log } from '../../protocol/log.ts';
import { createPairing } from '../../simulator/pairing.ts';
import { createSimulatedPinPad, type Key } from '../../simulator/pin-pad.ts';
import { createSimulatedPrinter, type PrintedCopy } from '../../simulator/printer.ts';
import { createChipCard } from '../../simulator/cards/chip-card-registry.ts';
import { createCardTray, type CardTray, type Twin } from '../../simulator/twins/twin.ts';
import { findTwin } from '../../simulator/twins/twins.ts';
import { openWithWireFaults, type WireFaults } from '../../simulator/twins/wire-faults.ts';
import { layTwinCable } from '../../simulator/twins/twin-cable.ts';
import { tlsOver, TWIN_SETTINGS } from '../../world/till-driver.ts';
import type { Clock } from '../../protocol/clock.ts';
import { Fault } from '../../protocol/failures.ts';
import { createFakePcsc } from './fake-pcsc.ts';
import { openTill, type Till, type TillTerminal } from '../../testing/world/till.ts';
import type { World } from '../../testing/world/world.ts';

export interface ReaderOptions {
  /** Name of the driver. */
  driver: string;
  /** Opens the line to a device of the test; by default to the twin of the driver. */
  open?: OpenPort;
  /** Line faults; the same seed gives the same faults. */
  faults?: { seed: string; faults?: WireFaults };
  serialNumber?: string;
  /** How the reader of the driver `pcsc` reads cards; contactless by default. */
  technology?: CardTechnology;
  /** Creates the printer in place of a simulated one. */
  createPrinter?(parts: { clock: Clock; log: Log; trace: FrameTrace }): Printer;
}

/** A terminal with a reader driver and a twin, and controls for both. */
export interface ReaderTerminal extends TillTerminal {
  readonly agent: Agent;
  readonly tray: CardTray;
  /** The current device. */
  readonly twin: Twin;
  readonly printed: readonly PrintedCopy[];
  press(keys: Key[]): void;
  /** Uses a control of the device, also while nothing is connected to it. Returns what it has to say. */
  control(name: string, argument?: string): string | void;
  unplug(): Promise<void>;
  plugIn(): void;
  close(): Promise<void>;
}

/** Registers and pairs a terminal with a driver and its twin in this process. */
export async function addReaderTerminal(world: World, options: ReaderOptions): Promise<Till<ReaderTerminal>> {
  const { serialNumber = `${options.driver.toUpperCase()}-0001` } = options;
  const { forTerminals, api, clock } = world;
  const location = await api.post('/v1/in-person/locations', LOCATION);
  const registered = await api.post('/v1/in-person/terminals', {
    serialNumber,
    locationId: location.body.id,
  });
  const terminalId: string = registered.body.id;
  const pairing = createPairing(forTerminals);
  const path = `/pairing/terminals/${terminalId}`;
  const paired = (await pairing.pair(path, new AbortController().signal))!;
  const device = await createDevice(world, options);
  const pinPad = createSimulatedPinPad();
  const printer = createSimulatedPrinter();
  const row = findDriver(options.driver)!;
  const trace: FrameTrace = (...bytes) => terminal.agent.tracePrinter(...bytes);
  const terminal = createReaderTerminal({
    ...forTerminals,
    terminalId,
    onStep: (step) => forTerminals.stepped(terminalId, step),
    driver: await row.load(),
    title: row.title,
    credentials: paired,
    keys: paired.keys!,
    counter: memoryKeyCounter(),
    journal: memoryJournal(),
    open: device.open,
    pcsc: device.pcsc,
    terminalSettings: TWIN_SETTINGS[options.driver],
    pinPad,
    cards: acceptTestCards,
    countryCode: '826',
    printer: options.createPrinter?.({ clock, log: forTerminals.log, trace }) ?? printer,
  });
  terminal.agent.start();
  await world.until('the terminal comes online', () => terminal.agent.online);
  const bench: ReaderTerminal = {
    terminalId,
    agent: terminal.agent,
    tray: device.tray,
    get twin() {
      if (!device.twin) throw new Error('the device of this test is no twin');
      return device.twin;
    },
    get status() {
      return terminal.agent.status;
    },
    get printed() {
      return printer.printed;
    },
    press: (keys) => void pinPad.press(keys),
    control: (name, argument) => device.controls()[name]!.run(argument),
    perform(act) {
      if (act.act === 'present-card') device.tray.insert(cardFor(world, act.card));
      else if (act.act === 'remove-card') device.tray.remove();
      else throw new Error(`a twin does not support ${act.act}`);
    },
    unplug: device.unplug,
    plugIn: device.plugIn,
    async close() {
      await Promise.all([terminal.close(), clock.advance(1000)]);
      await device.unplug();
    },
  };
  return openTill(world, bench);
}

const LOCATION = {
  name: 'Reader Shop',
  address: { lineOne: '2 High Street', city: 'London', country: 'GB', postalCode: 'SW1A 1AA' },
};

export function cardFor({ clock, forTerminals: { random } }: World, name: string) {
  const card = createChipCard(name, { clock, random });
  if (!card) throw new Error(`no card with a chip is named ${name}`);
  return card;
}

/** A device of a test, which has neither a tray nor a cable to pull. */
function scriptedDevice(open: OpenPort) {
  const twin: Twin | undefined = undefined;
  return {
    tray: createCardTray(),
    open,
    pcsc: undefined,
    twin,
    controls: (): Twin['controls'] => ({}),
    async unplug() {},
    plugIn() {},
  };
}

/** Creates a reader of the smart card service, which has no line. */
function pcscDevice(clock: Clock, technology: CardTechnology | undefined) {
  const { tray, port, unplug, plugIn } = createFakePcsc({ clock, ...(technology && { technology }) });
  const device = scriptedDevice(async () => {
    throw new Fault('internal', 'a reader of the smart card service has no line');
  });
  return { ...device, tray, pcsc: port, unplug: async () => unplug(), plugIn };
}

/** Creates a device that is powered by its cable: each plug-in creates a new twin with the same card. */
async function createDevice(
  { clock, forTerminals }: World,
  { driver, faults, open: ownOpen, technology }: ReaderOptions,
) {
  if (ownOpen) return scriptedDevice(ownOpen);
  if (driver === 'pcsc') return pcscDevice(clock, technology);
  const row = findTwin(driver)!;
  const { needsNetwork, overTls } = findDriver(driver)!;
  const tray = createCardTray();
  const { random, log } = forTerminals;
  const cable = layTwinCable({
    ...(await row.load()),
    line: row.line,
    inNetwork: needsNetwork ?? false,
    clock,
    random,
    log,
    tray,
  });
  const openLine: OpenPort = faults ? openWithWireFaults(cable.open, { clock, ...faults }) : cable.open;
  const openDevice: OpenPort = overTls ? async (settings) => tlsOver(await openLine(settings)) : openLine;
  return {
    tray,
    open: openDevice,
    pcsc: undefined,
    get twin() {
      return cable.twin;
    },
    controls: () => cable.controls,
    unplug: () => cable.unplug(),
    plugIn: () => cable.plugIn(),
  };
}
