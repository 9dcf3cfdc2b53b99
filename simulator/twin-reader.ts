import type { OpenPort } from '../agent/readers/byte-port.ts';
import type { CardRequest, Reader } from '../agent/readers/reader.ts';
import type { Clock } from '../protocol/clock.ts';
import type { EntryMode } from '../protocol/messages/card-data.schema.ts';
import type { DueMessage, StruckMessage } from '../protocol/line-faults.ts';
import type { Random } from '../protocol/ids.ts';
import type { Log } from '../protocol/log.ts';
import type { Card } from './cards/card-profile.ts';
import type { Key } from './pin-pad.ts';
import { CHIP_CARD_NAMES, createChipCard } from './cards/chip-card-registry.ts';
import { cardNamed, unknownCardMessage } from './cards/card-registry.ts';
import { failure, SUCCESS, type SimulationResult } from './simulation-result.ts';
import type { ReaderAgent, ReaderPhase, TerminalReader } from './terminal-reader.ts';
import type { ReaderState, TwinState } from './terminal-state.ts';
import { frontOf, type FrontWait } from './twins/stand-alone/cardholder-side.ts';
import { exportMemory, restoreMemory, setPaper, type TerminalMemory } from './twins/stand-alone/journal.ts';
import { nameActions, randomOfActions } from './twins/stand-alone/numbered-actions.ts';
import { layTwinCable, type TwinCable } from './twins/twin-cable.ts';
import { useControl } from './twins/device-controls.ts';
import { createCardTray, type TwinEntry, type TwinModule } from './twins/twin.ts';

/** What an agent is a till with, for one language of payment terminals. */
export interface TillDriver {
  /** Name of the device, for `device.type`. */
  title: string;
  /** Whether the terminal is reached in a network. */
  inNetwork: boolean;
  createReader(parts: TillReaderParts): Reader;
}

/** Dependencies of the reader of a till. */
interface TillReaderParts extends ReaderAgent {
  open: OpenPort;
  clock: Clock;
  random: Random;
  log: Log;
}

/** A stand-alone payment terminal and the driver that talks to it, both loaded. */
export interface LoadedTwin {
  entry: TwinEntry;
  module: TwinModule;
  driver: TillDriver;
}

interface TwinReaderParts {
  clock: Clock;
  log: Log;
  twin: LoadedTwin;
  /** State of another terminal, in which this one starts. What it had not answered is lost. */
  state?: { reader: ReaderState; twin?: TwinState | undefined } | undefined;
  strikeMessage?: ((due: Omit<DueMessage, 'terminalId'>) => StruckMessage | undefined) | undefined;
}

/** What is typed with `press-keys`, or is a secret. */
const NOT_BY_NAME = ['type', 'confirm', 'correct', 'passphrase'];

/**
 * A stand-alone payment terminal beside the agent, which is its till: both ends of the cable are in this process. The
 * terminal has power and its bank also while the agent has none.
 */
export class TwinReader implements TerminalReader {
  readonly hasOwnPower = true;
  readonly #parts: TwinReaderParts;
  readonly #tray = createCardTray();
  readonly #front = frontOf(this.#tray);
  readonly #memory: TerminalMemory;
  readonly #cable: TwinCable;
  readonly #watchers: ((phase: ReaderPhase) => void)[] = [];
  #phase: ReaderPhase = 'idle';
  #request: CardRequest | undefined;
  /** The till, while the agent has power. */
  #till: Reader | undefined;
  #isUnplugged = false;
  /** Whether the action at the terminal has taken the card. */
  #isUsed = false;

  constructor(parts: TwinReaderParts) {
    this.#parts = parts;
    const { twin, state, clock, log } = parts;
    const { line } = twin.entry;
    const { inNetwork } = twin.driver;
    this.#memory = restoreMemory(this.#tray, state?.twin);
    const random = randomOfActions(this.#memory, 'terminal');
    const strike = (isAfterCharge: boolean) =>
      parts.strikeMessage?.({ actionId: this.#request?.actionId, isAfterCharge });
    const tray = this.#tray;
    this.#cable = layTwinCable({ ...twin.module, line, inNetwork, clock, random, log, tray, strike });
    this.#front.watch((waits) => this.#terminalWaits(waits));
    if (state?.reader.present) this.#insert(state.reader.present.card);
    if (state?.reader.unplugged) this.unplug();
  }

  get phase(): ReaderPhase {
    return this.#phase;
  }

  get request(): CardRequest | undefined {
    return this.#request;
  }

  get card(): Card | undefined {
    const { card } = this.#tray;
    return card && cardNamed(card.name);
  }

  get cardAtReader() {
    const { card } = this;
    return card ? { name: card.name, entryMode: card.entryModes[0]! } : null;
  }

  get typedDigits(): number {
    return this.#front.typedDigits;
  }

  watch(listener: (phase: ReaderPhase) => void): void {
    this.#watchers.push(listener);
  }

  fits(card: Card, mode?: EntryMode): SimulationResult {
    return fitsPaymentTerminal(card, mode);
  }

  presentCard(name: string, entryMode?: EntryMode): SimulationResult {
    const card = cardNamed(name);
    if (!card) return failure(unknownCardMessage(name));
    const fits = this.fits(card, entryMode);
    if (!fits.ok) return fits;
    if (this.#tray.card) return failure(`${this.#tray.card.name} is at the reader already: remove it first`);
    return this.#insert(name);
  }

  removeCard(): SimulationResult {
    if (!this.#tray.card) return failure('there is no card at the reader');
    this.#tray.remove();
    this.#isUsed = false;
    return SUCCESS;
  }

  pressKeys(keys: readonly Key[]): SimulationResult {
    this.#front.press(keys);
    return SUCCESS;
  }

  switchOn(agent: ReaderAgent): Reader {
    const { twin, clock, log } = this.#parts;
    const random = randomOfActions(this.#memory, 'till');
    const open = () => this.#cable.open();
    const names = nameActions(this.#memory);
    const onReversal: ReaderAgent['onReversal'] = (reversal) => agent.onReversal(names.ofServer(reversal));
    const holdReversal: ReaderAgent['holdReversal'] = (reversal) =>
      agent.holdReversal(names.ofServer(reversal));
    const calls = { ...agent, onReversal, holdReversal };
    const till = twin.driver.createReader({ ...calls, open, clock, random, log });
    const cardAtReader = () => this.cardAtReader;
    this.#till = till;
    return {
      ...till,
      get cardAtReader() {
        return cardAtReader();
      },
      begin: (request, report) => {
        this.#request = request;
        // After a power cut of the till the terminal may still wait for the card.
        this.#enter(phaseOf(this.#front.waits));
        till.begin(names.ofTerminal(request), report);
      },
      ...(till.reverse && {
        reverse: (request, ...given) => till.reverse!(names.ofTerminal(request), ...given),
      }),
      end: (options) => {
        till.end(options);
        this.#end();
      },
    };
  }

  switchOff(): void {
    this.beforeStop();
    void this.#till?.close();
    this.#till = undefined;
    this.#end();
  }

  unplug(): SimulationResult {
    this.#isUnplugged = true;
    void this.#cable.unplug();
    return SUCCESS;
  }

  plugIn(): SimulationResult {
    this.#isUnplugged = false;
    this.#cable.plugIn();
    return SUCCESS;
  }

  setPaper(hasPaper: boolean): void {
    setPaper(this.#memory, hasPaper);
  }

  control(name: string, argument: string | undefined): SimulationResult {
    return useControl('this terminal', this.#cable.controls, name, argument, NOT_BY_NAME);
  }

  exportState(): { reader: ReaderState; twin: TwinState } {
    const { cardAtReader: held } = this;
    const present = held && { card: held.name, entryMode: held.entryMode, used: this.#isUsed };
    return {
      reader: { ...IDLE, present, ...(this.#isUnplugged && { unplugged: true }) },
      twin: exportMemory(this.#memory),
    };
  }

  beforeStop(): void {
    this.#till?.beforeStop?.();
  }

  async close(): Promise<void> {
    await this.#till?.close();
    await this.#cable.twin?.close();
  }

  #insert(name: string): SimulationResult {
    const { clock } = this.#parts;
    const chip = createChipCard(name, { clock, random: randomOfActions(this.#memory, name) });
    if (chip) this.#tray.insert(chip);
    return SUCCESS;
  }

  #terminalWaits(waits: FrontWait): void {
    if (waits === 'nothing') this.#isUsed = true;
    if (!this.#request) return this.#takeCard();
    if (waits === 'idle') return;
    this.#enter(waits === 'nothing' && this.#phase === 'awaitingCard' ? 'reading' : phaseOf(waits));
  }

  /** Ends the action. */
  #end(): void {
    this.#request = undefined;
    this.#takeCard();
    if (this.#phase !== 'idle') this.#enter('idle');
  }

  /** Takes the card away that was used, once the work of the terminal is over. */
  #takeCard(): void {
    if (!this.#isUsed || this.#front.waits !== 'idle') return;
    this.#isUsed = false;
    this.#tray.remove();
  }

  #enter(phase: ReaderPhase): void {
    this.#phase = phase;
    for (const watcher of this.#watchers) watcher(phase);
  }
}

/** Returns whether a stand-alone payment terminal reads a card so. */
export function fitsPaymentTerminal({ name, entryModes }: Card, mode = entryModes[0]!): SimulationResult {
  if (!CHIP_CARD_NAMES.includes(name))
    return failure(
      `card: ${name} has no chip; a stand-alone payment terminal reads: ${CHIP_CARD_NAMES.join(', ')}`,
    );
  if (mode === entryModes[0]) return SUCCESS;
  return failure(`entryMode: a stand-alone payment terminal reads ${name} by ${entryModes[0]} alone`);
}

/** The phase of an action while the terminal waits for something. */
function phaseOf(waits: FrontWait): ReaderPhase {
  if (waits === 'card') return 'awaitingCard';
  return waits === 'pin' ? 'awaitingPin' : 'busy';
}

/** The state of a reader at which no action is: what the terminal had not answered is lost with its cable. */
const IDLE: ReaderState = {
  phase: 'idle',
  present: null,
  readCard: null,
  readAtMs: null,
  typedDigits: '',
  pinTriesLeft: {},
};
