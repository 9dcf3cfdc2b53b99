import { useEffect } from 'preact/hooks';
import { after, type Timer } from '../../../../protocol/clock.ts';
import { pageClock } from '../time.ts';

interface Reload {
  /** Pause after each read. */
  everyMs: number;
  active: boolean;
}

/** Reads again and again while it is active, at once at the beginning. */
export function useReload(load: () => Promise<void>, { everyMs, active }: Reload): void {
  useEffect(() => {
    if (!active) return undefined;
    let isOpen = true;
    let timer: Timer | undefined;
    const read = async () => {
      await load();
      if (isOpen) timer = after(pageClock, everyMs, () => void read());
    };
    void read();
    return () => {
      isOpen = false;
      timer?.cancel();
    };
  }, [active]);
}
