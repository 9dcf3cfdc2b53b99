import type { Clock } from '../../protocol/clock.ts';
import { createCountedLog, type Log } from '../../protocol/log.ts';

/**
 * Calls what only observes a sandbox: its recordings, logs, activities and dashboard. What an observer throws is reported
 * here and ends neither the request that it observes nor the process; what it was about to record is dropped.
 */
export interface Observers {
  /**
   * Returns a function that calls an observer. It never throws; where the observer throws, or rejects, it returns
   * undefined, or resolves with it.
   * @param name of the observer, in words, for the log
   * @param onFailure called with each failure, for what must know that something is missing
   */
  guard<Args extends unknown[], Result>(
    name: string,
    observe: (...args: Args) => Result,
    onFailure?: () => void,
  ): (...args: Args) => Result | undefined;
  /** The names of all observers so far. */
  names(): string[];
}

interface ObserversParts {
  log: Log;
  /** Real time. */
  clock: Pick<Clock, 'nowMs'>;
  /** Called before each observer with its name; what it throws counts as thrown by the observer. For tests. */
  before?: (name: string) => void;
}

export function createObservers({ log, clock, before }: ObserversParts): Observers {
  const names = new Set<string>();
  const counted = createCountedLog({ log, clock });

  function report(observer: string, thrown: unknown, onFailure: (() => void) | undefined): undefined {
    // What is thrown may be anything, and the log is an observer too.
    try {
      counted.error(
        { err: thrown, observer },
        'an observer failed, and drops what it was recording',
        observer,
      );
      onFailure?.();
    } catch {
      // There is nowhere left to report it.
    }
  }

  return {
    guard<Args extends unknown[], Result>(
      name: string,
      observe: (...args: Args) => Result,
      onFailure?: () => void,
    ) {
      names.add(name);
      return (...args: Args): Result | undefined => {
        try {
          before?.(name);
          const result = observe(...args);
          if (!(result instanceof Promise)) return result;
          return result.catch((thrown: unknown) => report(name, thrown, onFailure)) as Result;
        } catch (thrown) {
          return report(name, thrown, onFailure);
        }
      };
    },
    names: () => [...names],
  };
}
