import { after, type Clock } from '../../protocol/clock.ts';
import { Fault } from '../../protocol/failures.ts';

/**
 * What `promise` comes to, if it does so within `limitMs`. No wait on a device goes without a limit.
 * @throws Fault `timed_out` with `message`.
 */
export async function withinLimit<T>(
  clock: Clock,
  limitMs: number,
  promise: Promise<T>,
  message: string,
): Promise<T> {
  let expire!: (fault: Fault) => void;
  const expired = new Promise<never>((_, reject) => (expire = reject));
  const timer = after(clock, limitMs, () => expire(new Fault('timed_out', message)));
  try {
    return await Promise.race([promise, expired]);
  } finally {
    timer.cancel();
  }
}
