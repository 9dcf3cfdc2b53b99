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
