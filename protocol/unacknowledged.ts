import { after, type Clock, type Timer } from './clock.ts';
import type { Fault } from './failures.ts';

/**
 * How often a connection looks whether the broker acknowledges. Two looks in a row without an acknowledgement end it, so that
 * neither a clock that is moved on nor a busy process ends one that works.
 */
export const ACKNOWLEDGEMENT_CHECK_MS = 5_000;

interface Unacknowledged {
  /** Adds a message that was sent. Returns what settles it, and whether it was still waited for. */
  add(reject: (fault: Fault) => void): () => boolean;
  /** Rejects all messages, when the connection has ended. */
  rejectAll(fault: Fault): void;
}

/**
 * Keeps the messages of a connection that the broker has not acknowledged yet.
 * @param onSilence called when the broker acknowledges none of them for five to ten seconds, as a node of a cluster that
 *   has lost the others
 */
export function createUnacknowledged(clock: Clock, onSilence: () => void): Unacknowledged {
  const waiting = new Set<(fault: Fault) => void>();
  let next: Timer | undefined;
  let silentChecks = 0;

  function check(): void {
    next = undefined;
    if (waiting.size === 0) return;
    silentChecks += 1;
    if (silentChecks === 2) onSilence();
    else schedule();
  }

  function schedule(): void {
    next = after(clock, ACKNOWLEDGEMENT_CHECK_MS, check);
  }

  return {
    add(reject) {
      // A function of its own for each message: a caller may send with the same one twice.
      const message = (fault: Fault) => reject(fault);
      waiting.add(message);
      if (!next) {
        silentChecks = 0;
        schedule();
      }
      return () => {
        silentChecks = 0;
        return waiting.delete(message);
      };
    },
    rejectAll(fault) {
      next?.cancel();
      next = undefined;
      for (const reject of waiting) reject(fault);
      waiting.clear();
    },
  };
}
