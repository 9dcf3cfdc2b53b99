import type { IntegratorFault, StopPoint } from './hunted-fault.ts';
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

export interface IntegratorParts {
  /** Called when a fault stops it, with the name of the event or key at which it does. */
  onStop?(fault: IntegratorFault, name?: string): void;
  /** Called at each moment at which a fault can stop it. */
  onMoment?(stop: Pick<IntegratorFault, 'what' | 'when'>): unknown;
  /** Those of its earlier starts: the numbers of the faults go on with them. */
  counts?: StopCounts;
}

/** Creates the process that a scenario runs in, until one of the faults stops it. */
export function createIntegrator(
  { fetch, sleep }: Environment,
  faults: readonly IntegratorFault[],
  { onStop, onMoment, counts = { ...NO_STOPS } }: IntegratorParts = {},
): IntegratorProcess {
  let isStopped = false;
  let isFinished = false;
  let isLeft = false;
  let resolveStopped: (fault: IntegratorFault) => void = () => {};
  const stopped = new Promise<IntegratorFault>((resolve) => (resolveStopped = resolve));
  const writing = new Set<() => void>();
  /** Counts one more, and returns what stops the process there where a fault says so. Returns whether it is stopped then. */
  function reach(point: StopPoint): (what: IntegratorFault['what'], name?: string) => boolean {
    counts[point] += 1;
    const when = { nth: counts[point] };
    return (what, name) => {
      if (isStopped) return true;
      onMoment?.({ what, when });
      const fault = faults.find((each) => each.what === what && each.when.nth === when.nth);
      if (!fault) return false;
      isStopped = true;
      for (const apply of writing) apply();
      onStop?.(fault, name);
      resolveStopped(fault);
      return true;
    };
  }
  const endpoints = createProcessEndpoints({
    stopped,
    isLeft: () => isLeft,
    onAcknowledged: (eventType) => isStopped || reach('webhook')('stop-after-webhook', eventType),
  });
  const never = new Promise<never>(() => {});
  return {
    ...endpoints,
    stopped,
    async fetch(input, init) {
      if (isStopped) return never;
      const isStoppedAt = reach('request');
      if (isStoppedAt('stop-before-request')) return never;
      const reply = await fetch(input, init);
      return isStoppedAt('stop-before-reply') ? never : reply;
    },
    async sleep(ms) {
      const isStoppedAt = isStopped || isFinished ? undefined : reach('wait');
      await sleep(ms);
      // A time-out of something that has ended, such as a request, goes on in a process that is done.
      if (!isFinished) isStoppedAt?.('stop-in-wait');
      return isStopped ? never : undefined;
    },
    async write(key, apply) {
      if (isStopped) return never;
      const isStoppedAt = reach('write');
      writing.add(apply);
      await sleep(WRITE_MS);
      if (isStopped) return never;
      writing.delete(apply);
      if (isStoppedAt('stop-in-write', key)) return never;
      apply();
      return isStoppedAt('stop-after-write', key) ? never : undefined;
    },
    finish: () => void (isFinished = true),
    leave() {
      isLeft = true;
      isStopped = true;
    },
  };
}
