import type { MaskedCard } from '../../protocol/messages/action.messages.ts';
import type { Static } from '../../protocol/schema.ts';
import type { EntryMode } from '../../protocol/messages/action.messages.ts';

/** What a reader is asked to do for one action. Amounts in minor units. */
export interface CardRequest {
  actionId: string;
  type: 'Payment' | 'Refund';
  amountMinor: number;
  currency: string;
  /** Sandbox only, from `action.start`: what a simulated cardholder is to do. A real reader ignores it. */
  cardholder?: 'walkAway' | 'pressCancel';
}

/** How a card's holder was, or has still to be, verified (EMV 4.4 Book 3 §10.5). */
export type PinDemand = 'none' | 'pin' | 'onDevice';

/**
 * What a reader tells its terminal. The card number and the PIN stay inside the reader: only masked card data
 * and the fact that a PIN was entered come out.
 */
export type ReaderFact =
  | { type: 'card.presented'; entryMode: Static<typeof EntryMode> }
  | { type: 'card.read'; card: MaskedCard; pin: PinDemand }
  | { type: 'card.unreadable'; reason: string }
  | { type: 'card.removed' }
  | { type: 'pin.entered' }
  | { type: 'pin.accepted' }
  | { type: 'pin.rejected'; triesLeft: number }
  | { type: 'cancel.pressed' }
  | { type: 'reader.failed'; reason: string };

/**
 * The seam to a card reader, simulated or real. A reader works for one action at a time, between `begin` and
 * `end`; facts that come after `end` are not reported.
 */
export interface Reader {
  readonly name: string;
  /** Who says yes to the money: the server's issuer, or the device at its own bank (docs/choices.md). */
  readonly authoriser: 'server' | 'device';
  begin(request: CardRequest, report: (fact: ReaderFact) => void): void;
  /** Looks for a card (again, after one that could not be read). */
  awaitCard(): void;
  /** Lets the cardholder type a PIN; answered by `pin.entered` or `cancel.pressed`. */
  awaitPin(): void;
  /** Checks the PIN just entered; answered by `pin.accepted` or `pin.rejected`. */
  verifyPin(): void;
  end(): void;
  close(): Promise<void>;
}
