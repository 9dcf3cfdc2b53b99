import { after, type Clock } from '../../protocol/clock.ts';

/** Resolves `delayMs` from now on this clock, or as soon as `signal` is aborted. Never rejects. */
export function abortableDelay(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      timer.cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = after(clock, delayMs, done);
    signal.addEventListener('abort', done);
  });
}
