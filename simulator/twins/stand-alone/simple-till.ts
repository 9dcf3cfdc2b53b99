import { after, type Clock } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { Till } from './terminal-language.ts';

interface SimpleTillParts {
  clock: Clock;
  tell: Till['tell'];
  terminalPrints: boolean;
}

/** A till during a command, where its language sends a cancel as a message of its own, or none. */
export interface SimpleTill extends Till {
  /** Asks the terminal to stop. Returns whether it does. */
  cancel(): boolean;
  /** The till is gone: what waits for it ends with Fault `reader`. */
  leave(): void;
}

export function createSimpleTill({ clock, tell, terminalPrints }: SimpleTillParts): SimpleTill {
  let mayCancel = false;
  let cancelRequested = false;
  let gone = false;
  let wake = () => {};
  const requirePresent = () => {
    if (gone) throw new Fault('reader', 'the till has disconnected');
  };
  return {
    terminalPrints,
    get cancelRequested() {
      return cancelRequested;
    },
    setCancellable: (may) => void (mayCancel = may),
    async tell(step) {
      requirePresent();
      await tell(step);
    },
    async waitFor(happens, limitMs) {
      let outcome: 'happened' | 'timeout' = 'timeout';
      await new Promise<void>((resolve) => {
        const timer = after(clock, limitMs, resolve);
        wake = () => {
          timer.cancel();
          resolve();
        };
        void happens.then(() => {
          outcome = 'happened';
          wake();
        });
        if (gone || cancelRequested) wake();
      });
      requirePresent();
      return cancelRequested ? 'cancelRequested' : outcome;
    },
    cancel() {
      if (!mayCancel) return false;
      cancelRequested = true;
      wake();
      return true;
    },
    leave() {
      gone = true;
      wake();
    },
  };
}
