import type { Clock } from '../../protocol/clock.ts';
import type { Random } from '../../protocol/ids.ts';
import type { Log } from '../../protocol/log.ts';
import type { LineSettings, OpenPort } from './byte-port.ts';
import type { CardPolicy } from './card-policy.ts';
import type { CardProtection } from './card-protection.ts';
import type { DebtStore } from './debt-store.ts';
import type { PinPad } from './pin-pad.ts';
import type { Reader } from './reader.ts';
import type { LineTrace } from './wire.ts';

/** What every driver is given. */
export interface DriverParts {
  open: OpenPort;
  clock: Clock;
  random: Random;
  log: Log;
  pinPad: PinPad;
  protection: CardProtection;
  /** Which card numbers may be taken. */
  cards: CardPolicy;
  /** ISO 3166-1 numeric, tag 9F1A. */
  countryCode: string;
  /** A payment terminal of a bank may be used, where real money moves; otherwise only its twin. */
  allowRealTerminal?: boolean;
  /** Is shown every frame on the line, for inspection. */
  trace?: LineTrace | undefined;
  /** What a payment terminal still has to take back; without it, it is known as long as the reader lives. */
  debts?: DebtStore;
}

/** One step of `doctor`: what was tried, whether it went well, and what to do when it did not. */
export interface Finding {
  step: string;
  ok: boolean;
  detail: string;
  advice?: string;
}

/** What the folder of a driver exports as `driver`. */
export interface DriverModule {
  createReader(parts: DriverParts): Reader;
  /** Tries the device step by step; the last finding is the first that is not ok, if any. */
  examine(parts: DriverParts): AsyncIterable<Finding>;
}

/** A row of agent/readers/drivers.ts: what is known of a driver before it is loaded. */
export interface DriverRow {
  name: string;
  title: string;
  line: LineSettings;
  authoriser: 'server' | 'device';
  /** Upper-case hexadecimal; a bridge chip fits many devices, so detection only suggests. */
  usb: { vendorId: string; productId?: string; what: string }[];
  load(): Promise<DriverModule>;
}
