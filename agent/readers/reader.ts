import type {
  ChipRequest,
  DeviceApproval,
  EntryMode,
  MaskedCard,
} from '../../protocol/messages/card-data.schema.ts';
import type { DeviceState } from '../../protocol/messages/inspection.messages.ts';
import type { ReportedReversal } from '../../protocol/messages/reversal.messages.ts';
import type { Static } from '../../protocol/schema.ts';
import type { IssuerAnswer } from '../emv/completion.ts';

/** PIN entry for a reader without a PIN pad. The PIN must not leave the reader module. */
export interface PinPad {
  /** Returns the digits (4 to 12, ISO 9564-1) or `cancelled`; undefined when `signal` is aborted first. */
  requestPin(signal: AbortSignal): Promise<{ digits: string } | 'cancelled' | undefined>;
  /** Sets the listener for the cancel key outside PIN entry. */
  onCancel(listener: () => void): void;
  /** Number of digits of the PIN that is being entered, 0 otherwise; absent where the pad does not count them. */
  readonly typedDigits?: number | undefined;
  /** Sets the listener for digits that are typed or cleared. */
  onTyped?(listener: () => void): void;
}

/** Request to a reader for one action. Amounts in minor units. */
export interface CardRequest {
  actionId: string;
  type: 'Payment' | 'Refund';
  amountMinor: number;
  currency: string;
  /** Sandbox only, from `action.start`: behaviour of a simulated cardholder. A real reader ignores it. */
  cardholder?: 'walkAway' | 'pressCancel';
}

/** Cardholder verification that is still needed or was done (EMV 4.4 Book 3 §10.5). */
export type ReaderCvm = 'none' | 'pin' | 'onDevice' | 'signature';

/** Chip data for the issuer, from a reader of real card data. */
export interface ReaderChip {
  request: ChipRequest;
  /** Whether the card stays for the issuer's response (`completeCard`). A tapped card does not. */
  awaitsAnswer: boolean;
}

export interface ReversalOptions {
  /** Whether an earlier process may have sent the reversal. */
  mayBeSent: boolean;
  /** Whether the journal says that it is sent, so that a later process knows. */
  isSaved: boolean;
}

/** What came of the reversal of a transaction of a payment terminal. */
export type DeviceReversal = Omit<ReportedReversal, 'atMs'>;

/** Receipt copies of a device without a printer, as plain text. */
export interface DeviceReceipt {
  merchantCopy: string;
  customerCopy: string;
}

/**
 * Events that a reader emits. They hold only masked card data and data encrypted for the issuer: the card number and
 * the PIN stay inside the reader.
 */
export type ReaderEvent =
  /** No card was found for some time. The reader keeps looking. */
  | { type: 'card.missing' }
  | { type: 'card.presented'; entryMode: Static<typeof EntryMode> }
  /** `chip` is present without a PIN, or if the card made its cryptogram before the PIN. */
  | { type: 'card.read'; card: MaskedCard; pin: ReaderCvm; chip?: ReaderChip }
  | { type: 'card.unreadable'; reason: string }
  | { type: 'card.removed' }
  /** The card or the terminal declined offline (EMV 4.4 Book 3 §10.7, §10.8). */
  | { type: 'card.declined'; reason: string }
  | { type: 'pin.entered' }
  | { type: 'pin.accepted'; method?: 'OfflinePin' | 'OnlinePin'; chip?: ReaderChip }
  | { type: 'pin.rejected'; triesLeft: number; chip?: ReaderChip }
  /** The card accepted the issuer's response (EMV 4.4 Book 3 §10.11). */
  | { type: 'card.completed' }
  /** The card declined after the issuer's approval, or was removed before it accepted: the payment must be reversed. */
  | { type: 'card.refused'; reason: string }
  /**
   * A payment terminal is connected and has nothing to do: `sendToDevice` follows. Only from one that cannot be asked
   * later what came of a request, or cannot be made to give it up.
   */
  | { type: 'device.ready' }
  /** The payment terminal may have charged the card. It may still report an outcome. */
  | { type: 'device.unknown'; reason: string }
  /** A payment terminal was approved by its own bank. */
  | { type: 'device.approved'; card: MaskedCard; approval: DeviceApproval; receipt?: DeviceReceipt }
  | { type: 'device.declined'; reason: string }
  | { type: 'cancel.pressed' }
  /** After `sendToDevice` it also says that the payment terminal has charged nothing. */
  | { type: 'reader.failed'; reason: string };

/**
 * A card reader, simulated or real: one without a kernel under Tapbench's EMV kernel, a payment reader with its own
 * kernel, or a payment terminal. A reader serves one action at a time, between `begin` and `end`. It emits events
 * asynchronously, never inside a call, and none after `end`.
 */
export interface Reader {
  readonly name: string;
  /** Who authorises: the server's issuer, or the device with its own bank (docs/choices.md). */
  readonly authoriser: 'server' | 'device';
  /** Simulated readers only: the card in the slot or field, by name; null for none. */
  readonly cardAtReader?: NonNullable<DeviceState['card']> | null;
  /** Where a PIN is typed, for the display; absent where the device does not report it. */
  readonly pinEntry?: Pick<PinPad, 'typedDigits' | 'onTyped'>;
  begin(request: CardRequest, report: (event: ReaderEvent) => void): void;
  /**
   * Simulated readers only: continues with the request that it stood at when its state was exported, without any of
   * the calls that led there. Returns false when it stood at none.
   */
  resume?(request: CardRequest, report: (event: ReaderEvent) => void): boolean;
  /** Looks for a card, also again after an unreadable one. */
  awaitCard(): void;
  /**
   * Sends the request to a payment terminal that is ready. Called once, after the journal says so: the terminal alone
   * ends it from then on. Emits its outcome, or `device.unknown`.
   */
  sendToDevice?(): void;
  /**
   * Finds out what came of a request that an earlier process sent, in place of `awaitCard`. Emits its outcome, or
   * `device.unknown`; it sends no request again.
   */
  findOutcome?(): void;
  /** The server knows that the outcome is unknown, so a person settles the action. Not called while offline. */
  unknownReported?(): void;
  /** Starts PIN entry. Emits `pin.entered` or `cancel.pressed`. */
  awaitPin(): void;
  /** Verifies the entered PIN. Emits `pin.accepted` or `pin.rejected`. */
  verifyPin(): void;
  /**
   * Sends the issuer's response to a card that awaits it. Emits `card.completed` or `card.refused`. After a decline
   * `end` follows at once, and the reader completes the card by itself.
   */
  completeCard?(answer: IssuerAnswer): void;
  /**
   * Reverses an approval of the device, also outside an action. Idempotent. Resolves with the reason where it is not
   * reversed and must not be tried again: a person has to do it at the device.
   * @param options how sure it is that it is sent once
   * @throws Fault `reader` when it fails.
   */
  reverse?(
    request: CardRequest,
    approval: DeviceApproval,
    options?: ReversalOptions,
  ): Promise<{ notReversed: string } | void>;
  /**
   * With `paid` the server counts the action as paid, so an approval that comes later stays. With `unsettled` no person has
   * settled its outcome, also if the report that it is unknown was sent: the server has ended the action without it.
   */
  end(options?: { paid?: boolean; unsettled?: boolean }): void;
  /** Called before the agent stops. What a payment terminal has and cannot give up is left to the next process. */
  beforeStop?(): void;
  close(): Promise<void>;
}
