export type Key = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | 'enter' | 'clear' | 'cancel';

// ISO 9564-1, PIN length: 4 to 12 digits.
const PIN_DIGITS_MIN = 4;
const PIN_DIGITS_MAX = 12;

/** Where a PIN is typed. It leaves only by `take`, once, to whoever checks it. */
interface Keypad {
  /** Begins a fresh PIN. */
  open(): void;
  /** Forgets what was typed. */
  close(): void;
  readonly isOpen: boolean;
  /** Presses keys in order, up to the one that ends the typing: a PIN is complete, or the person cancels. */
  press(keys: readonly Key[]): 'entered' | 'cancelled' | 'typing';
  take(): string;
}

export function createKeypad(): Keypad {
  let digits = '';
  let isOpen = false;
  return {
    open() {
      digits = '';
      isOpen = true;
    },
    close() {
      digits = '';
      isOpen = false;
    },
    get isOpen() {
      return isOpen;
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
