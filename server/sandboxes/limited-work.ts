import { nextTurn, type NextTurn } from '../platform/loop-turns.ts';

/** Runs a work once its turn has come. Its result and its failure are the caller's. */
export type LimitedWork = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs some works at once, in the order in which they were added. The event loop has a turn before each, so that the requests
 * of other sandboxes are answered between them however many there are.
 */
export function createLimitedWork(atOnce: number, turn: NextTurn = nextTurn): LimitedWork {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      await turn();
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
