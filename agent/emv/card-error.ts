import { messageOf } from '../../protocol/failures.ts';

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
