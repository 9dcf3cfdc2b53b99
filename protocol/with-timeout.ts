import { after, type Clock } from './clock.ts';
import { Fault } from './failures.ts';

/**
 * Waits for a promise, for at most `timeoutMs` on `clock`. The promise itself is not cancelled.
 * @param error a message, or the function that creates the error to throw.
 * @throws Fault `timed_out` with the message, or the created error, after `timeoutMs`; whatever the promise rejects
 * with before.
 */
export async function withTimeout<T>(
  clock: Clock,
  timeoutMs: number,
  promise: Promise<T>,
  error: string | (() => Error),
): Promise<T> {
  let reject!: (error: Error) => void;
  const expired = new Promise<never>((_, rejectExpired) => (reject = rejectExpired));
  const timer = after(clock, timeoutMs, () =>
    reject(typeof error === 'string' ? new Fault('timed_out', error) : error()),
  );
  try {
    return await Promise.race([promise, expired]);
  } finally {
    timer.cancel();
  }
}
