import type { BytePort, LineSettings } from '../../agent/readers/byte-port.ts';
import type { Clock } from '../../protocol/clock.ts';
import type { Random } from '../../protocol/ids.ts';
import type { Log } from '../../protocol/log.ts';
import type { CardTray } from './card-tray.ts';
import type { CardTechnology } from '../../agent/emv/card-connection.ts';

/** The device's end of a line. */
export interface DevicePort extends BytePort {
  /** Paces the line anew, where it has a pace: a pty by itself has none. */
  setBaudRate?(baudRate: number): void;
}

/** What every twin is given. */
export interface TwinParts {
  port: DevicePort;
  clock: Clock;
  random: Random;
  log: Log;
  tray: CardTray;
}

/** A simulated device at the end of a line; it lives as long as its line. */
export interface Twin {
  readonly name: string;
  /** Things a person does to the device, by name, such as `cancel`; for the command line. */
  readonly controls: Record<string, TwinControl>;
  close(): Promise<void>;
}

interface TwinControl {
  /** What its argument is called in the help. */
  argument?: string;
  run(argument?: string): void;
}

/** A row of simulator/twins/twins.ts. */
export interface TwinRow {
  name: string;
  title: string;
  line: LineSettings;
  /** How the device reads cards. */
  technologies: readonly CardTechnology[];
  /** The card that lies there when none is named. */
  defaultCard: string;
  /** There are such devices in a network, whose messages travel bare over TCP. */
  overTcp?: true;
  load(): Promise<{ createTwin(parts: TwinParts): Twin }>;
}
