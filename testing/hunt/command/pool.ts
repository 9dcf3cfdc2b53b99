/** Things of which each is used by one at a time. */
export interface Pool<T> {
  /** Calls `work` with one that is free, as soon as there is one. */
  use<R>(work: (one: T) => Promise<R>): Promise<R>;
  /** Resolves when all are free. */
  idle(): Promise<void>;
}

export function createPool<T>(all: readonly T[]): Pool<T> {
  const free = [...all];
  const waiting: ((one: T) => void)[] = [];
  const take = () =>
    new Promise<T>((resolve) => {
      const one = free.pop();
      if (one === undefined) waiting.push(resolve);
      else resolve(one);
    });
  const release = (one: T) => {
    const next = waiting.shift();
    if (next) next(one);
    else free.push(one);
  };
  return {
    async use(work) {
      const one = await take();
      try {
        return await work(one);
      } finally {
        release(one);
      }
    },
    async idle() {
      const taken = await Promise.all(all.map(take));
      taken.forEach(release);
    },
  };
}
