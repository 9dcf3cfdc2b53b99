import { useEffect } from 'preact/hooks';
import { after, type Clock, type Timer } from '../../../../protocol/clock.ts';
import { pageClock } from '../time.ts';

interface Reload {
  /** Pause after each read. */
  everyMs: number;
  active: boolean;
}

/** Reads again and again while it is active and the page is in front, at once at the beginning. */
export function useReload(load: () => Promise<void>, { everyMs, active }: Reload): void {
  useEffect(
    () =>
      active
        ? readAgainAndAgain({ clock: pageClock, everyMs, isHidden: () => document.hidden }, load)
        : undefined,
    [active],
  );
}

interface RepeatParts {
  clock: Clock;
  everyMs: number;
  /** Whether nobody sees what is read, such as behind another window. */
  isHidden: () => boolean;
}

/** Reads at once, and again after each pause in which it is not hidden. Returns the function that ends it. */
export function readAgainAndAgain(
  { clock, everyMs, isHidden }: RepeatParts,
  load: () => Promise<void>,
): () => void {
  let isOpen = true;
  let timer: Timer | undefined;
  const pause = () => {
    timer = after(clock, everyMs, () => (isHidden() ? pause() : void read()));
  };
  const read = async () => {
    await load();
    if (isOpen) pause();
  };
  void read();
  return () => {
    isOpen = false;
    timer?.cancel();
  };
}
