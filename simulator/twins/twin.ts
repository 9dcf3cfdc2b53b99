import type { CardTechnology } from '../../agent/emv/card-connection.ts';
import type { BytePort, LineSettings } from '../../agent/readers/byte-port.ts';
import type { Clock } from '../../protocol/clock.ts';
import type { Random } from '../../protocol/ids.ts';
import type { StruckMessage } from '../../protocol/line-faults.ts';
import type { Log } from '../../protocol/log.ts';
import type { ChipCard } from '../cards/chip-card.ts';

/** The field or slot of a twin, with at most one card. */
export interface CardTray {
  readonly card: ChipCard | undefined;
  /** Puts a card there, in place of any other. */
  insert(card: ChipCard): void;
  remove(): void;
  /** Called after each change. */
  watch(listener: (card: ChipCard | undefined) => void): void;
}

export function createCardTray(first?: ChipCard): CardTray {
  const listeners: ((card: ChipCard | undefined) => void)[] = [];
  let card = first;
  const change = (next: ChipCard | undefined) => {
    if (card === next) return;
    card = next;
    for (const listener of listeners) listener(card);
  };
  return {
    get card() {
      return card;
    },
    insert: change,
    remove: () => change(undefined),
    watch: (listener) => void listeners.push(listener),
  };
}

/** The device's end of a connection. */
export interface DevicePort extends BytePort {
  /** Changes the baud rate of a paced port. */
  setBaudRate?(baudRate: number): void;
}

/** Dependencies of a twin. */
export interface TwinParts {
  port: DevicePort;
  clock: Clock;
  random: Random;
  log: Log;
  tray: CardTray;
  /** Returns what happens to a message that is about to be sent; by default it arrives. */
  strike?(isAfterCharge: boolean): StruckMessage | undefined;
}

/** A simulated device on a port. It lives as long as the port. */
export interface Twin {
  readonly name: string;
  /** Actions of a person at the device by name, such as `cancel`, for the command line. */
  readonly controls: Record<string, TwinControl>;
  close(): Promise<void>;
}

export interface TwinControl {
  /** Name of its argument in the help. */
  argument?: string;
  /** Returns what it has to say, if anything. */
  run(argument?: string): string | void;
}

/** What a file `NAME.twin.ts` exports. */
export interface TwinModule {
  createTwin(parts: TwinParts): Twin;
  /** The controls of a device that is on without a connection, as one in a network is. */
  controlsOf?(tray: CardTray): Twin['controls'];
}

/** A row of simulator/twins/twins.ts. */
export interface TwinEntry {
  name: string;
  title: string;
  line: LineSettings;
  /** How the device reads cards. */
  technologies: readonly CardTechnology[];
  /** The card that lies there when none is named. */
  defaultCard: string;
  /** There are such devices in a network, whose messages travel bare over TCP. */
  overTcp?: true;
  /** The port of such a device, where there are none with a serial line. */
  networkPort?: number;
  /** It takes payments by itself, with a bank of its own. */
  hasBank?: true;
  /** Tills may be connected side by side. */
  manyConnections?: true;
  load(): Promise<TwinModule>;
}
