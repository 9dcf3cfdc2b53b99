import type { PinPad } from '../agent/readers/reader.ts';
import { SUCCESS, failure, type SimulationResult } from './simulation-result.ts';
import { createKeypad, type Key } from './keypad.ts';

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
