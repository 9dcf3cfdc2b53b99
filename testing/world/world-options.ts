import type { Random } from '../../protocol/ids.ts';
import type { Connector } from '../../protocol/link.ts';
import type { Log } from '../../protocol/log.ts';
import type { Observers } from '../../server/platform/observers.ts';
import type { Outgoing } from '../../server/platform/outgoing.ts';
import type { ServerSettings } from '../../server/platform/settings.ts';
import type { Store } from '../../server/platform/store/store.ts';
import type { CardholderOptions } from '../../simulator/cardholder.ts';
import type { FleetParts } from '../../simulator/fleet.ts';
import type { RunningTest } from '../run-log/run-log-format.ts';
import type { AnswersLeft } from '../../world/replay/recorded-answers.ts';
import type { VirtualClock } from '../../world/virtual-clock.ts';
import type { WorldCopy } from './world-copy.ts';
import type { NetworkBroker } from '../../world/compose-world.ts';
import type { Server } from '../../server/app.ts';
import type { Receivers } from './receivers.ts';

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
  /** Returns what reaches other servers, in place of the receivers: of its own for each server that is started. */
  outgoing?(): Outgoing;
  /** What requests to other servers get before they reach the receivers, when the world begins with a trace. */
  answers?: AnswersLeft;
  /** Whether reading a card takes as long as with the devices; no time by default. */
  pacedByDevices?: boolean;
  /** The journal of each terminal; in memory by default, empty at the start. */
  journalFor?: FleetParts['journalFor'];
  /** Other engines than SQLite in memory and the embedded broker. */
  engines?: Engines;
  /** Calls what only observes the server; its own by default. */
  observers?: Observers;
  /** Log level on standard error; silent by default. */
  logLevel?: string;
  /** A log of the test's own, in place of `logLevel`. */
  log?: Log;
  /** The test that the world is recorded for. Detected, except in concurrent tests. */
  test?: RunningTest;
  /** What the world begins with as a fork; set by `fork`. */
  copy?: WorldCopy;
  /** Whether no recording is made of it: of a copy of a world for its trace, or of the many worlds of a hunt. */
  unrecorded?: boolean;
}

export interface TerminalOptions {
  serialNumber?: string;
  accountId?: string;
  cardholder?: CardholderOptions;
  /** Type of the device, which is simulated; that of most terminals by default. */
  deviceType?: string;
  /** What is beside it: a stand-alone payment terminal that it is the till of, such as `nexo`, or `escpos`, a receipt printer. */
  twin?: string;
  /** How long reading a card takes, in milliseconds. */
  readLatencyMs?: number;
}

/** Settings of a world unless its options have others. */
export const SETTINGS: ServerSettings = {
  mode: 'sandbox',
  secretKey: 'sk_sandbox_world',
  publicKey: 'pk_sandbox_world',
  pairingSecret: 'a pairing secret for worlds, long enough for anybody',
  dashboardToken: 'dash_a-token-for-worlds-that-is-long-enough',
  rateLimit: 'off',
  magicAmounts: undefined,
  publicUrl: 'http://tapbench.test',
};

/** Replacements for SQLite in memory and the embedded broker, reached over the network in real time. */
export interface Engines {
  /** An open, migrated store; the world closes it. */
  store?: Store;
  broker?: NetworkBroker;
  /** Called when the world is closed. */
  close?(): Promise<void>;
}

let opener: (() => Promise<Engines>) | undefined;

/** Sets the engines for all worlds that are started without engines. */
export function useEngines(open: () => Promise<Engines>): void {
  opener = open;
}

export async function createEngines(): Promise<Engines | undefined> {
  return opener?.();
}

/** What a hook sees of a world. */
export interface HookedWorld {
  readonly server: Server;
  readonly receivers: Receivers;
}

/** Hooks of a suite into every world of its tests. */
export interface WorldHooks {
  /** Log of the world, unless the test sets one. */
  log: Log;
  /** Called when the world has started. */
  onStart(world: HookedWorld): void;
  /** Called before the world is closed. A rejection fails the test. */
  beforeClose(world: HookedWorld): Promise<void>;
}

let watch: (() => WorldHooks) | undefined;

/** Sets the hooks for all worlds started from now on; `begin` creates them for each. */
export function useWorldHooks(begin: () => WorldHooks): void {
  watch = begin;
}

export function createWorldHooks(): WorldHooks | undefined {
  return watch?.();
}
