export type Key = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | 'enter' | 'clear' | 'cancel';

// ISO 9564-1, PIN length: 4 to 12 digits.
const PIN_DIGITS_MIN = 4;
const PIN_DIGITS_MAX = 12;

/** A keypad for PINs. `take` returns the PIN once and forgets it. */
interface Keypad {
  /** Starts a PIN, after `typed` when its first digits were typed before. */
  open(typed?: string): void;
  /** Discards the typed digits. */
  close(): void;
  readonly isOpen: boolean;
  /** The digits typed so far, to export the state of a simulated reader. */
  readonly digits: string;
  /** Presses keys in order until one completes the PIN or cancels. */
  press(keys: readonly Key[]): 'entered' | 'cancelled' | 'typing';
  take(): string;
}

export function createKeypad(): Keypad {
  let digits = '';
  let isOpen = false;
  return {
    open(typed = '') {
      digits = typed;
      isOpen = true;
    },
    close() {
      digits = '';
      isOpen = false;
    },
    get isOpen() {
      return isOpen;
    },
    get digits() {
      return digits;
    },
    press(keys) {
      for (const key of keys) {
        if (key === 'cancel') return 'cancelled';
        if (!isOpen) continue;
        if (key === 'clear') digits = '';
        else if (key !== 'enter') digits = (digits + key).slice(0, PIN_DIGITS_MAX);
        else if (digits.length >= PIN_DIGITS_MIN) {
          isOpen = false;
          return 'entered';
        }
      }
      return 'typing';
    },
    take() {
      const taken = digits;
      digits = '';
      return taken;
    },
  };
}
