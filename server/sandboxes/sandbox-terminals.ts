/** The simulated terminals of an open sandbox, and whatever else the program that runs the server starts for it. */
export interface SandboxTerminals {
  /**
   * Starts them unless that was done, and resolves when they are ready or the sandbox is being closed.
   * @throws what kept them from starting; the next call tries again
   */
  start(): Promise<void>;
  readonly state: 'waiting' | 'starting' | 'ready';
  /** Ends every wait for them, whatever step their start is at. None is started from now on. */
  beginEnding(): void;
  /** Ends them, also while they start. */
  end(): Promise<void>;
}

/** @param startThem starts them, waits for none of them once `ending` is aborted, and returns a function that ends them */
export function createSandboxTerminals(
  startThem: (ending: AbortSignal) => Promise<() => Promise<void>>,
): SandboxTerminals {
  const ending = new AbortController();
  let starting: Promise<void> | undefined;
  let endThem: (() => Promise<void>) | undefined;

  async function startOnce(): Promise<void> {
    try {
      endThem = await startThem(ending.signal);
    } catch (thrown) {
      starting = undefined;
      throw thrown;
    }
  }

  function endOfWaits(): Promise<void> {
    return new Promise((resolve) => ending.signal.addEventListener('abort', () => resolve(), { once: true }));
  }

  return {
    async start() {
      if (endThem || ending.signal.aborted) return;
      await Promise.race([(starting ??= startOnce()), endOfWaits()]);
    },
    get state() {
      if (endThem) return 'ready';
      return starting ? 'starting' : 'waiting';
    },
    beginEnding() {
      ending.abort();
    },
    async end() {
      ending.abort();
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
