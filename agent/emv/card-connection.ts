import { messageOf } from '../../protocol/failures.ts';

/** Interface between chip card and reader (EMV 4.4 Book 1; EMV Contactless Book D). */
export type CardTechnology = 'Contact' | 'Contactless';

/** A connection to a powered card. */
export interface CardConnection {
  readonly technology: CardTechnology;
  /**
   * Sends a command APDU and returns the whole response APDU, at least the two status bytes.
   * The caller handles 61xx and 6Cxx of T=0 (agent/emv/apdu.ts).
   * @throws CardLostError when the card was removed or does not respond; Fault `reader` when the reader fails.
   */
  transceive(command: Uint8Array): Promise<Uint8Array>;
  /**
   * Sets a listener that is called once when the card is removed or the reader unplugged between commands. Absent if
   * the reader does not report removals; then the next command throws.
   */
  onRemoved?(listener: () => void): void;
  /** Powers the card off. Idempotent, never throws. */
  release(): Promise<void>;
}

/** Why a transaction was terminated without a decision. */
export type CardErrorReason =
  | 'malformed_data'
  | 'missing_data'
  | 'wrong_length'
  | 'wrong_format'
  | 'repeated_data'
  | 'too_much_data'
  | 'status_words'
  | 'no_application'
  | 'card_blocked'
  | 'conditions_not_satisfied'
  | 'other_interface'
  | 'wrong_cryptogram'
  | 'not_supported';

/**
 * The card violates the specification or has no usable application: the transaction is terminated (EMV 4.4 Book 3
 * §7.5, Book 4 §10.3). An expected outcome, like `CardLostError`. The message has tags and status words, never data.
 */
export class CardError extends Error {
  readonly reason: CardErrorReason;

  constructor(reason: CardErrorReason, message: string) {
    super(message);
    this.name = 'CardError';
    this.reason = reason;
  }
}

/**
 * Runs `read` and converts what it throws, such as a Fault about missing card data, to a CardError
 * `not_supported`.
 */
export function throwAsCardError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new CardError('not_supported', messageOf(error));
  }
}
