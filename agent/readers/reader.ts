import type {
  ChipRequest,
  DeviceApproval,
  EntryMode,
  MaskedCard,
} from '../../protocol/messages/action.messages.ts';
import type { Static } from '../../protocol/schema.ts';
import type { IssuerAnswer } from '../emv/issuer-answer.ts';

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
export type ReaderCvm = 'none' | 'pin' | 'onDevice' | 'signature';

/** What a reader of real card data adds for the issuer, once the card has made its cryptogram. */
export interface ReaderChip {
  request: ChipRequest;
  /** The card stays in the slot for the issuer's answer (`completeCard`). A tapped card is gone by then. */
  awaitsAnswer: boolean;
}

/** The two copies as a device that prints nothing itself hands them over, plain text. */
export interface DeviceReceipt {
  merchantCopy: string;
  customerCopy: string;
}

/**
 * What a reader tells its terminal. The card number and the PIN stay inside the reader: only masked card data,
 * what is encrypted for the issuer, and the fact that a PIN was entered come out.
 */
export type ReaderEvent =
  /** The reader has looked for a card for some time, and there is none; it goes on looking. */
  | { type: 'card.missing' }
  | { type: 'card.presented'; entryMode: Static<typeof EntryMode> }
  /** `chip` is there when no PIN is asked for, or the card made its cryptogram before it. */
  | { type: 'card.read'; card: MaskedCard; pin: ReaderCvm; chip?: ReaderChip }
  | { type: 'card.unreadable'; reason: string }
  | { type: 'card.removed' }
  /** The card, or the terminal for it, refused the transaction before the issuer was asked (EMV 4.4 Book 3 §10.7, §10.8). */
  | { type: 'card.declined'; reason: string }
  | { type: 'pin.entered' }
  | { type: 'pin.accepted'; method?: 'OfflinePin' | 'OnlinePin'; chip?: ReaderChip }
  | { type: 'pin.rejected'; triesLeft: number; chip?: ReaderChip }
  /** The card has taken the issuer's answer (EMV 4.4 Book 3 §10.11). */
  | { type: 'card.completed' }
  /** The card refused what the issuer had approved, or was torn away before it agreed: reverse. */
  | { type: 'card.refused'; reason: string }
  /** A payment terminal got its approval from its own bank. */
  | { type: 'device.approved'; card: MaskedCard; approval: DeviceApproval; receipt?: DeviceReceipt }
  | { type: 'device.declined'; reason: string }
  | { type: 'cancel.pressed' }
  | { type: 'reader.failed'; reason: string };

/**
 * The seam to a card reader, simulated or real, of whatever level: a dumb one under our EMV kernel, a payment
 * reader with a kernel of its own, a payment terminal that does everything. A reader works for one action at a
 * time, between `begin` and `end`; facts that come after `end` are not reported. No fact is reported from
 * inside a call.
 */
export interface Reader {
  readonly name: string;
  /** Who says yes to the money: the server's issuer, or the device at its own bank (docs/choices.md). */
  readonly authoriser: 'server' | 'device';
  begin(request: CardRequest, report: (fact: ReaderEvent) => void): void;
  /** Looks for a card (again, after one that could not be read). */
  awaitCard(): void;
  /** Lets the cardholder type a PIN; answered by `pin.entered` or `cancel.pressed`. */
  awaitPin(): void;
  /** Checks the PIN just entered; answered by `pin.accepted` or `pin.rejected`. */
  verifyPin(): void;
  /**
   * Gives the issuer's answer to a card that awaits it; answered by `card.completed` or `card.refused`. After a
   * decline `end` follows at once, and the reader finishes with the card by itself.
   */
  completeCard?(answer: IssuerAnswer): void;
  /**
   * Takes back what the device authorised, also when no action is under way. Idempotent: what the device has
   * reversed already is reversed.
   * @throws Fault `reader` when it could not be taken back.
   */
  reverse?(request: CardRequest, approval: DeviceApproval): Promise<void>;
  end(): void;
  close(): Promise<void>;
}
