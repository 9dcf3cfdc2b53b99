import type { Store } from './store/store.ts';

/**
 * Returns a function that does work on an item, together with those that arrive while the work on earlier ones is under
 * way, and resolves with its result. When work on several fails, it is done again on each by itself, so that the failure
 * of one is not that of others.
 * @param work returns the results in the order of the items
 * @param most items at once, at most
 */
export function gather<T, R>(
  work: (items: readonly T[]) => Promise<readonly R[]>,
  most: number,
): (item: T) => Promise<R> {
  interface Waiting {
    item: T;
    resolve(result: R): void;
    reject(thrown: unknown): void;
  }
  let waiting: Waiting[] = [];
  let isWorking = false;

  async function alone({ item, resolve, reject }: Waiting): Promise<void> {
    await work([item]).then(([result]) => resolve(result!), reject);
  }

  async function together(some: readonly Waiting[]): Promise<void> {
    if (some.length === 1) return alone(some[0]!);
    let results: readonly R[];
    try {
      results = await work(some.map(({ item }) => item));
    } catch {
      await Promise.all(some.map(alone));
      return;
    }
    for (const [index, { resolve }] of some.entries()) resolve(results[index]!);
  }

  async function workOnAll(): Promise<void> {
    isWorking = true;
    while (waiting.length > 0) {
      const some = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await together(some);
    }
    isWorking = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isWorking) void workOnAll();
    });
}

/** Returns a function that does work on an item: on PostgreSQL as `gather` does, since each statement there is a round trip. */
export function gatherOnPostgres<T, R>(
  { engine }: Pick<Store, 'engine'>,
  work: (items: readonly T[]) => Promise<readonly R[]>,
  most: number,
): (item: T) => Promise<R> {
  // SQLite commits transactions together by itself.
  return engine === 'postgres' ? gather(work, most) : async (item) => (await work([item]))[0]!;
}
