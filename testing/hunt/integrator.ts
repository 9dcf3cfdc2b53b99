import type { IntegratorFault } from './hunted-fault.ts';

/** What a process waits for. */
interface Environment {
  /** Reaches the sandbox. */
  fetch: typeof globalThis.fetch;
  /** Waits on the clock of the sandbox. */
  sleep(ms: number): Promise<void>;
}

/** The integrator's process, which a fault can stop: a stopped one hears nothing and waits for ever. */
interface IntegratorProcess extends Environment {
  /** Number of requests so far. */
  requests(): number;
  /** Resolves when the process stops. */
  readonly stopped: Promise<void>;
}

/** Creates the process that a scenario runs in, until one of the faults stops it. */
export function createIntegrator(
  { fetch, sleep }: Environment,
  faults: readonly IntegratorFault[],
  onStop: (fault: IntegratorFault) => void = () => {},
): IntegratorProcess {
  let requests = 0;
  let isStopped = false;
  let resolveStopped = () => {};
  const stopped = new Promise<void>((resolve) => (resolveStopped = resolve));
  function stop(fault: IntegratorFault): void {
    isStopped = true;
    onStop(fault);
    resolveStopped();
  }
  const never = new Promise<never>(() => {});
  return {
    stopped,
    requests: () => requests,
    async fetch(input, init) {
      if (isStopped) return never;
      requests += 1;
      const struck = faults.find(({ when }) => when.nth === requests);
      if (struck?.what === 'stop-before-request') {
        stop(struck);
        return never;
      }
      const reply = await fetch(input, init);
      if (struck && !isStopped) stop(struck);
      return isStopped ? never : reply;
    },
    async sleep(ms) {
      await sleep(ms);
      return isStopped ? never : undefined;
    },
  };
}
