/** The functions of a test that reply for a world, while they run: the world is not idle before they wait for it. */
export interface RunningFunctions {
  /** Runs one until it has replied, or is given up. */
  during<T>(reply: () => Promise<T>): Promise<T>;
  /** Number of those that do not wait for the world: they use the processor, or something outside of the world. */
  readonly busy: number;
  /** Lets those that run count as waiting for the world. */
  leave(): void;
  /** Sets what counts the waits of the test on the clock of the world. A function waits for it when one began after it. */
  countWaitsBy(count: () => number): void;
}

interface RunningFunction {
  /** How many waits of the test there were when it began, besides those of other functions. */
  waitsBefore: number;
  isLeft: boolean;
}

export function createRunningFunctions(): RunningFunctions {
  const running = new Set<RunningFunction>();
  let countWaits = () => 0;

  const unleft = () => [...running].filter(({ isLeft }) => !isLeft);

  function busy(): number {
    // Asked at each turn of the event loop.
    if (running.size === 0) return 0;
    const waits = countWaits() - Math.min(...[...running].map(({ waitsBefore }) => waitsBefore));
    return Math.max(0, unleft().length - Math.max(0, waits));
  }

  return {
    async during(reply) {
      const ofOthers = unleft().length - busy();
      const own = { waitsBefore: countWaits() - ofOthers, isLeft: false };
      running.add(own);
      try {
        return await reply();
      } finally {
        running.delete(own);
      }
    },
    get busy() {
      return busy();
    },
    leave: () => running.forEach((one) => (one.isLeft = true)),
    countWaitsBy: (count) => void (countWaits = count),
  };
}
