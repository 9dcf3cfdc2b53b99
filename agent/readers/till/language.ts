import type { DeviceApproval, MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import type { CardRequest, DeviceReceipt } from '../reader.ts';

/** What came of a request to a payment terminal. */
export type DeviceOutcome =
  | { type: 'approved'; card: MaskedCard; approval: DeviceApproval; receipt?: DeviceReceipt }
  | { type: 'declined'; reason: string }
  /** Given up at the terminal, by the cardholder or by time. */
  | { type: 'cancelled' }
  /** The terminal did not take the request, and has charged nothing. */
  | { type: 'failed'; reason: string }
  /** The terminal may have charged the card. */
  | { type: 'unknown'; reason: string };

/** A terminal that is connected and ready for one request. */
export interface TerminalSession {
  /**
   * Sends a payment or a refund, once, and resolves with its outcome. It never rejects: what goes wrong after the request
   * may have arrived is `unknown`.
   */
  transact(request: CardRequest): Promise<DeviceOutcome>;
  /**
   * Reverses an approval. Resolves with undefined when it is reversed, else with the reason. Absent where the terminal
   * cannot.
   */
  reverse?(request: CardRequest, approval: DeviceApproval): Promise<string | undefined>;
  /** Asks what came of a request that an earlier session sent. Absent where the terminal cannot say. */
  findOutcome?(request: CardRequest): Promise<DeviceOutcome>;
  close(): Promise<void>;
}

/** A protocol between a till and payment terminals. */
export interface TillLanguage {
  readonly name: string;
  /** Set where a reversal names no transaction, only its amount: sent again it could reverse another sale. */
  readonly reversesByAmount?: true;
  /** Returns why a request cannot be said, with the name of its field; undefined when it can. */
  refuse(request: CardRequest): string | undefined;
  /** Connects to a terminal that can take a request. @throws Fault `reader`. */
  open(): Promise<TerminalSession>;
  /** Connects to a terminal that may be busy, to ask it for an outcome; absent where that is no other connection. */
  openToAsk?(): Promise<TerminalSession>;
}
