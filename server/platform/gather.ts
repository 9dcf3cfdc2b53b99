/**
 * Returns a function that does work on an item, together with those that arrive while the work on earlier ones is under
 * way. When work on several fails, it is done again on each by itself, so that the failure of one is not that of others.
 * @param most items at once, at most
 */
export function gather<T>(
  work: (items: readonly T[]) => Promise<void>,
  most: number,
): (item: T) => Promise<void> {
  interface Waiting {
    item: T;
    resolve(): void;
    reject(thrown: unknown): void;
  }
  let waiting: Waiting[] = [];
  let isWorking = false;

  async function alone({ item, resolve, reject }: Waiting): Promise<void> {
    await work([item]).then(resolve, reject);
  }

  async function together(some: readonly Waiting[]): Promise<void> {
    if (some.length === 1) return alone(some[0]!);
    try {
      await work(some.map(({ item }) => item));
    } catch {
      await Promise.all(some.map(alone));
      return;
    }
    for (const { resolve } of some) resolve();
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
