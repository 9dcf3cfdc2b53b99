/** The simulated terminals of an open sandbox, and whatever else the program that runs the server starts for it. */
export interface SandboxTerminals {
  /**
   * Starts them unless that was done, and resolves when they are ready.
   * @throws what kept them from starting; the next call tries again
   */
  start(): Promise<void>;
  readonly state: 'waiting' | 'starting' | 'ready';
  /** Ends them, once they have started. */
  end(): Promise<void>;
}

/** @param startThem starts them, and returns a function that ends them */
export function createSandboxTerminals(startThem: () => Promise<() => Promise<void>>): SandboxTerminals {
  let starting: Promise<void> | undefined;
  let endThem: (() => Promise<void>) | undefined;
  let hasEnded = false;

  async function startOnce(): Promise<void> {
    try {
      endThem = await startThem();
    } catch (thrown) {
      starting = undefined;
      throw thrown;
    }
  }

  return {
    async start() {
      if (!hasEnded) await (starting ??= startOnce());
    },
    get state() {
      if (endThem) return 'ready';
      return starting ? 'starting' : 'waiting';
    },
    async end() {
      hasEnded = true;
      await starting?.catch(() => undefined);
      await endThem?.();
    },
  };
}

// The terminals themselves are paired there while they start.
const WITHOUT_TERMINALS = /^\/(?:v1(?!\/in-person)|pairing)\//;

/** Whether what a path names has to do with terminals, so that a request waits until they are ready. */
export function needsTerminals(path: string): boolean {
  return !WITHOUT_TERMINALS.test(path);
}
