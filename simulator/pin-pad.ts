import type { CardRequest, PinPad, ReaderCvm } from '../agent/readers/reader.ts';
import type { EntryMode } from '../protocol/messages/card-data.schema.ts';
import type { Card } from './cards/card-profile.ts';
import { failure, SUCCESS, type SimulationResult } from './simulation-result.ts';

/** Default contactless limit in minor units: above it a tapped card requires a PIN. */
export const CONTACTLESS_LIMIT_MINOR = 10_000;

/**
 * Returns the required PIN entry: for a contact chip, and for a tapped card above the limit (EMV Contactless Book
 * A, reader CVM required limit). A phone verifies its holder itself; refunds need no PIN.
 * @param limitsMinor contactless limits by currency code, minor units
 */
export function pinDemandOf(
  { type, amountMinor, currency }: CardRequest,
  card: Card,
  entryMode: EntryMode,
  limitsMinor: Readonly<Record<string, number>> | undefined,
): ReaderCvm {
  if (entryMode === 'Wallet') return 'onDevice';
  if (!card.hasPin || type === 'Refund' || entryMode === 'Swipe') return 'none';
  const limitMinor = limitsMinor?.[currency] ?? CONTACTLESS_LIMIT_MINOR;
  return entryMode === 'Contactless' && amountMinor <= limitMinor ? 'none' : 'pin';
}

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

/** A PIN pad for a reader that has none; its keys are pressed on the keyboard or by a sandbox call. */
export interface SimulatedPinPad extends PinPad {
  press(keys: readonly Key[]): SimulationResult;
  /** Whether a PIN is being entered: keys must not be echoed. */
  readonly isAsking: boolean;
}

export function createSimulatedPinPad(): SimulatedPinPad {
  const keypad = createKeypad();
  let answer: ((typed: { digits: string } | 'cancelled' | undefined) => void) | undefined;
  let cancelled = () => {};
  let typedOrCleared = () => {};

  const finish = (typed: { digits: string } | 'cancelled' | undefined) => {
    const told = answer;
    answer = undefined;
    keypad.close();
    told?.(typed);
  };
  return {
    get isAsking() {
      return answer !== undefined;
    },
    requestPin(signal) {
      finish(undefined);
      if (signal.aborted) return Promise.resolve(undefined);
      keypad.open();
      return new Promise((resolve) => {
        const stop = () => finish(undefined);
        signal.addEventListener('abort', stop, { once: true });
        answer = (typed) => {
          signal.removeEventListener('abort', stop);
          resolve(typed);
        };
      });
    },
    onCancel: (listener) => void (cancelled = listener),
    get typedDigits() {
      return keypad.digits.length;
    },
    onTyped: (listener) => void (typedOrCleared = listener),
    press(keys) {
      if (!answer && !keys.includes('cancel')) return failure('the terminal does not ask for a PIN');
      const outcome = keypad.press(keys);
      if (outcome === 'typing') typedOrCleared();
      if (outcome === 'entered') finish({ digits: keypad.take() });
      if (outcome === 'cancelled') {
        if (answer) finish('cancelled');
        else cancelled();
      }
      return SUCCESS;
    },
  };
}
