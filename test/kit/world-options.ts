import type { Random } from '../../protocol/ids.ts';
import type { Connector } from '../../protocol/link.ts';
import type { Log } from '../../protocol/log.ts';
import type { ServerSettings } from '../../server/platform/settings.ts';
import type { Store } from '../../server/platform/store/store.ts';
import type { CardholderOptions } from '../../simulator/cardholder.ts';
import type { FleetParts } from '../../simulator/fleet.ts';
import type { Engines } from './engines.ts';
import type { RunningTest } from './recording/recording-format.ts';
import type { VirtualClock } from './virtual-clock.ts';
import type { WorldImage } from './world-image.ts';

/** Options of a world; all have defaults. */
export interface WorldOptions {
  /** The same seed gives the same ids and faults. */
  seed?: string;
  /** Virtual time at the beginning, epoch milliseconds. */
  startMs?: number;
  /** Cardholder of the terminals; none by default, so that the test presents cards. */
  cardholder?: CardholderOptions;
  settings?: Partial<ServerSettings>;
  /** Wraps the connector of the terminals, to add faults. */
  terminalConnector?(connect: Connector, parts: { clock: VirtualClock; random: Random }): Connector;
  /** Wraps the store of the server, to observe it. */
  aroundStore?(store: Store): Store;
  /** The journal of each terminal; in memory by default, empty at the start. */
  journalFor?: FleetParts['journalFor'];
  /** Other engines than SQLite in memory and the embedded broker. */
  engines?: Engines;
  /** Log level on standard error; silent by default. */
  logLevel?: string;
  /** A log of the test's own, in place of `logLevel`. */
  log?: Log;
  /** The test that the world is recorded for. Detected, except in concurrent tests. */
  test?: RunningTest;
  /** What the world begins with as a fork; set by `fork`. */
  image?: WorldImage;
}

export interface TerminalOptions {
  serialNumber?: string;
  accountId?: string;
  cardholder?: CardholderOptions;
}
