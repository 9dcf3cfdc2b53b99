import { setMaxListeners } from 'node:events';
import { after, SystemClock, type Timer } from '../../protocol/clock.ts';

interface HuntEndParts {
  /** Real time from now on. */
  seconds: number;
  /** Ends the hunt with what is known. */
  stop?: AbortSignal | undefined;
  /** Ends the hunt, which throws its reason. */
  signal?: AbortSignal | undefined;
}

/** When a hunt ends, whatever it does then. */
export interface HuntEnd {
  /** Aborted when the hunt is over. */
  readonly over: AbortSignal;
  /** Whether it was stopped before its time was up. */
  readonly isStopped: boolean;
  /**
   * Resolves with what `work` comes to, or with undefined when the hunt has been over for `graceMs`: the work is left then.
   * @throws what the work throws until then
   */
  within<T>(work: Promise<T>, graceMs?: number): Promise<T | undefined>;
  /** Ends the count of the time. */
  close(): void;
}

/** Begins to count the time of a hunt. */
export function createHuntEnd({ seconds, stop, signal }: HuntEndParts): HuntEnd {
  const clock = new SystemClock();
  const ended = new AbortController();
  // One for each plan that is under way.
  setMaxListeners(0, ended.signal);
  let overSinceMs = 0;
  const end = () => {
    if (ended.signal.aborted) return;
    overSinceMs = clock.nowMs();
    ended.abort(new Error('the hunt is over'));
  };
  const timer = after(clock, seconds * 1000, end);
  const signals = [stop, signal].filter((each) => each !== undefined);
  for (const each of signals) {
    if (each.aborted) end();
    each.addEventListener('abort', end);
  }
  if (seconds <= 0) end();
  return {
    over: ended.signal,
    get isStopped() {
      return stop?.aborted ?? false;
    },
    within: (work, graceMs = 0) =>
      new Promise((resolve, reject) => {
        let grace: Timer | undefined;
        const leave = () => {
          const leftMs = graceMs - (clock.nowMs() - overSinceMs);
          if (leftMs <= 0) done(() => resolve(undefined));
          else grace = after(clock, leftMs, () => done(() => resolve(undefined)));
        };
        const done = (settle: () => void) => {
          grace?.cancel();
          ended.signal.removeEventListener('abort', leave);
          settle();
        };
        ended.signal.addEventListener('abort', leave);
        work.then(
          (result) => done(() => resolve(result)),
          (thrown: unknown) => done(() => reject(thrown)),
        );
        if (ended.signal.aborted) leave();
      }),
    close() {
      timer.cancel();
      for (const each of signals) each.removeEventListener('abort', end);
    },
  };
}
