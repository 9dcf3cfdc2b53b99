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
}

export interface Rereading {
  /** Reads now, or after the read that is under way. */
  reread(): void;
  stop(): void;
}

/** Reads at once, and again after changes: one read at a time, with a pause after each. */
export function rereadOnChange(
  { clock, changes, isHidden }: RereadParts,
  read: () => Promise<void>,
): Rereading {
  let reading = false;
  let due = false;
  let stopped = false;
  let pause: Timer | undefined;
  const begin = async () => {
    pause?.cancel();
    due = false;
    reading = true;
    await read();
    reading = false;
    if (!stopped) startPause();
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
  const unsubscribe = changes.subscribe(() => {
    due = true;
    if (!reading && !pause) beginUnlessHidden();
  });
  return {
    reread() {
      if (reading) due = true;
      else void begin();
    },
    stop() {
      stopped = true;
      pause?.cancel();
      unsubscribe();
    },
  };
}
