import { stopPointOf, type IntegratorFault, type StopPoint } from './hunted-fault.ts';
import { createProcessEndpoints, type ProcessEndpoints } from './process-endpoints.ts';

/** What a process waits for. */
interface Environment {
  /** Reaches the sandbox. */
  fetch: typeof globalThis.fetch;
  /** Waits on the clock of the sandbox. */
  sleep(ms: number): Promise<void>;
}

/** What the integrator's process did so far, in all its starts. */
export type StopCounts = Record<StopPoint, number>;

/** The integrator's process, which a fault can stop: a stopped one hears nothing and waits for ever. */
export interface IntegratorProcess extends Environment, ProcessEndpoints {
  /** Writes a key of its disk: calls `apply` once it is written, also where the process was stopped elsewhere meanwhile. */
  write(key: string, apply: () => void): Promise<void>;
  /** Number of requests so far. */
  requests(): number;
  /** Says that its work is done: from then on it is stopped by no wait, since it waits for nothing that matters. */
  finish(): void;
  /** Leaves it as it is: it does nothing more, so that it changes nothing that is judged or that a later plan begins with. */
  leave(): void;
  /** Resolves with the fault that stops the process. */
  readonly stopped: Promise<IntegratorFault>;
}

/** How long a write takes. */
const WRITE_MS = 10;

export const NO_STOPS: Readonly<StopCounts> = { request: 0, webhook: 0, wait: 0, write: 0 };

/**
 * Creates the process that a scenario runs in, until one of the faults stops it.
 * @param counts those of its earlier starts: the numbers of the faults go on with them
 */
export function createIntegrator(
  { fetch, sleep }: Environment,
  faults: readonly IntegratorFault[],
  onStop: (fault: IntegratorFault, name?: string) => void = () => {},
  counts: StopCounts = { ...NO_STOPS },
): IntegratorProcess {
  let isStopped = false;
  let isFinished = false;
  let isLeft = false;
  let resolveStopped: (fault: IntegratorFault) => void = () => {};
  const stopped = new Promise<IntegratorFault>((resolve) => (resolveStopped = resolve));
  const writing = new Set<() => void>();
  function stop(fault: IntegratorFault | undefined, name?: string): void {
    if (!fault || isStopped) return;
    isStopped = true;
    for (const apply of writing) apply();
    onStop(fault, name);
    resolveStopped(fault);
  }
  /** Counts one more, and returns the fault that strikes it. */
  function struckBy(point: StopPoint): IntegratorFault | undefined {
    counts[point] += 1;
    return faults.find((fault) => stopPointOf(fault) === point && fault.when.nth === counts[point]);
  }
  const endpoints = createProcessEndpoints({
    stopped,
    isLeft: () => isLeft,
    onAcknowledged: (eventType) => isStopped || stop(struckBy('webhook'), eventType),
  });
  const never = new Promise<never>(() => {});
  return {
    ...endpoints,
    stopped,
    requests: () => counts.request,
    async fetch(input, init) {
      if (isStopped) return never;
      const struck = struckBy('request');
      if (struck?.what === 'stop-before-request') {
        stop(struck);
        return never;
      }
      const reply = await fetch(input, init);
      stop(struck);
      return isStopped ? never : reply;
    },
    async sleep(ms) {
      const struck = isStopped || isFinished ? undefined : struckBy('wait');
      await sleep(ms);
      // A time-out of something that has ended, such as a request, goes on in a process that is done.
      if (!isFinished) stop(struck);
      return isStopped ? never : undefined;
    },
    async write(key, apply) {
      if (isStopped) return never;
      const struck = struckBy('write');
      writing.add(apply);
      await sleep(WRITE_MS);
      if (isStopped) return never;
      writing.delete(apply);
      if (struck?.what !== 'stop-in-write') apply();
      stop(struck, key);
      return isStopped ? never : undefined;
    },
    finish: () => void (isFinished = true),
    leave() {
      isLeft = true;
      isStopped = true;
    },
  };
}
