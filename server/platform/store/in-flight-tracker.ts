import { Fault } from '../../../protocol/failures.ts';

/**
 * Work passes while it is open, and closing waits for the work under way: a pool that ends by itself leaves
 * those who wait for a connection waiting.
 */
export function createInFlightTracker() {
  let closed = false;
  let inProgress = 0;
  let emptied: (() => void) | undefined;
  return {
    async pass<T>(work: () => Promise<T>): Promise<T> {
      if (closed) throw new Fault('store', 'the store is closed');
      inProgress++;
      try {
        return await work();
      } finally {
        if (--inProgress === 0) emptied?.();
      }
    },
    /** False when it was closed before. */
    async close(): Promise<boolean> {
      if (closed) return false;
      closed = true;
      if (inProgress > 0) await new Promise<void>((resolve) => (emptied = resolve));
      return true;
    },
  };
}
