import type { WorldOptions } from '../world/world-options.ts';
import type { World } from '../world/world.ts';

/** Copies of the sandbox with which each plan of a hunt begins. */
export interface Forks {
  /** Calls `run` with a fork, and closes that. @throws what `run` throws */
  use<T>(run: (fork: World) => Promise<T>, changes?: WorldOptions): Promise<T>;
  /** Resolves when all that were used are closed, also those of plans that were left. */
  closed(): Promise<unknown>;
}

export function createForks(prepared: World): Forks {
  const used = new Set<Promise<unknown>>();
  return {
    use(run, changes) {
      const using = useFork(prepared, run, changes);
      used.add(using);
      const forget = () => used.delete(using);
      using.then(forget, forget);
      return using;
    },
    closed: () => Promise.allSettled(used),
  };
}

async function useFork<T>(
  prepared: World,
  run: (fork: World) => Promise<T>,
  changes?: WorldOptions,
): Promise<T> {
  const fork = await prepared.fork(changes);
  let result: T;
  try {
    result = await run(fork);
  } catch (thrown) {
    // A world that failed may fail to close too: what was thrown first says why.
    await fork.close().catch(() => {});
    throw thrown;
  }
  await fork.close();
  return result;
}
