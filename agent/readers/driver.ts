import type { Clock } from '../../protocol/clock.ts';
import type { Random } from '../../protocol/ids.ts';
import type { Log } from '../../protocol/log.ts';
import type { LineSettings, OpenPort } from './byte-port.ts';
import type { CardPolicy } from './card-policy.ts';
import type { CardProtection } from './card-protection.ts';
import type { PendingReversalStore } from './pending-reversal-store.ts';
import type { PcscPort } from './pcsc/session.ts';
import type { FrameTrace } from './frame-channel.ts';
import type { TcpSettings } from './tcp-port.ts';
import type { DeviceReversal, PinPad, Reader } from './reader.ts';

/** Dependencies of a driver. */
export interface DriverParts {
  open: OpenPort;
  /** The reader of the smart card service, for the driver of those; `open` opens nothing then. */
  pcsc?: PcscPort | undefined;
  clock: Clock;
  random: Random;
  log: Log;
  pinPad: PinPad;
  protection: CardProtection;
  /** Decides which card numbers are accepted. */
  cards: CardPolicy;
  /** ISO 3166-1 numeric, tag 9F1A. */
  countryCode: string;
  /**
   * Allows a real payment terminal, which moves real money; otherwise only a twin is used. `diagnose` reports a real
   * terminal as a failure only with `false`.
   */
  allowRealTerminal?: boolean;
  /** What a terminal needs to know besides its address, from the file of `--terminal-settings`. May hold secrets. */
  terminalSettings?: unknown;
  /** Receives every frame, for inspection. */
  trace?: FrameTrace | undefined;
  /**
   * Receives what came of each reversal that a driver of a payment terminal starts by itself, so that the server learns of
   * it. Not of those that `Reader.reverse` asked for.
   */
  onReversal?: ((reversal: DeviceReversal) => void) | undefined;
  /**
   * Keeps what is to be reported where the agent ends without another word, as by a power cut. Returns a function that drops it.
   */
  holdReversal?: ((reversal: DeviceReversal) => () => void) | undefined;
  /** Stores pending reversals of a payment terminal; in memory by default. */
  pendingReversals?: PendingReversalStore;
}

/** Says in plain words what a frame is; undefined for bytes of which there is nothing to say. May throw. */
export type FrameWords = (bytes: Uint8Array) => string | undefined;

/** Result of one check of `tapbench doctor`, with advice if it failed. */
export interface CheckResult {
  step: string;
  ok: boolean;
  detail: string;
  advice?: string;
  /** Whether the data of a card may have been on the line. */
  showsCards?: true;
  /** Whether the card at the reader was checked, and not the reader. */
  checksCard?: true;
}

/** The `driver` export of a driver's module. */
export interface DriverModule {
  createReader(parts: DriverParts): Reader;
  /**
   * Returns a function that says in plain words what a frame is, without data of the card; absent where a frame says nothing
   * by itself.
   */
  frameWords?(parts: Pick<DriverParts, 'terminalSettings'>): FrameWords;
  /** Checks the device step by step and stops after the first check that fails. */
  diagnose(parts: DriverParts): AsyncIterable<CheckResult>;
}

/** Entry of a driver in agent/readers/drivers.ts, available before the driver is loaded. */
export interface DriverEntry {
  name: string;
  title: string;
  line: LineSettings;
  authoriser: 'server' | 'device';
  /** Whether the outcome of a request may stay unknown, so that a person settles it. */
  mayLoseOutcome?: true;
  /** How the device is reached in the network as `tcp://host:port`; absent for one with a serial line alone. */
  overTcp?: TcpSettings;
  /** The same for connections with TLS, as `tls://host:port`. */
  overTls?: TcpSettings;
  /** Whether it reads the file of `--terminal-settings`. */
  readsSettings?: true;
  /** Whether the system's smart card service reaches the device, as `pcsc:NAME`, and nothing else. */
  overPcsc?: true;
  /** Whether the device has no serial line. */
  needsNetwork?: true;
  /** USB ids in upper-case hexadecimal. Many devices share a bridge chip, so a match is only a suggestion. */
  usb: { vendorId: string; productId?: string; what: string }[];
  load(): Promise<DriverModule>;
}
