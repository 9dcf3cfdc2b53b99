import type { ReadonlySignal } from '@preact/signals';
import { after, type Clock, type Timer } from '../../../../protocol/clock.ts';

/** Time between the end of a read and the next one. */
export const PAUSE_MS = 1_000;

interface RereadParts {
  clock: Clock;
  /** Has another value after whatever may have changed what is read. */
  changes: ReadonlySignal<unknown>;
  /** Whether nobody sees what is read, such as behind another window. */
  isHidden: () => boolean;
  /** Time after which it is read again although nothing has changed; never by default. */
  everyMs?: number;
}

export interface Rereading {
  /** Reads now, or after the read that is under way. */
  reread(): void;
  stop(): void;
}

/** Reads at once, and again after changes: one read at a time, with a pause after each. */
export function rereadOnChange(
  { clock, changes, isHidden, everyMs }: RereadParts,
  read: () => Promise<void>,
): Rereading {
  let reading = false;
  let due = false;
  let stopped = false;
  let pause: Timer | undefined;
  let next: Timer | undefined;
  const begin = async () => {
    pause?.cancel();
    next?.cancel();
    due = false;
    reading = true;
    await read();
    reading = false;
    if (stopped) return;
    startPause();
    if (everyMs !== undefined) next = after(clock, everyMs, changed);
  };
  const startPause = () => {
    pause = after(clock, PAUSE_MS, () => {
      pause = undefined;
      if (due) beginUnlessHidden();
    });
  };
  const beginUnlessHidden = () => {
    if (isHidden()) startPause();
    else void begin();
  };
  const changed = () => {
    due = true;
    if (!reading && !pause) beginUnlessHidden();
  };
  const unsubscribe = changes.subscribe(changed);
  return {
    reread() {
      if (reading) due = true;
      else void begin();
    },
    stop() {
      stopped = true;
      pause?.cancel();
      next?.cancel();
      unsubscribe();
    },
  };
}
