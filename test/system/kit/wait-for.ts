import { delay, SystemClock } from '../../../protocol/clock.ts';

export const realTime = new SystemClock();

/** Longest that a test waits for a condition. Only a failing test waits that long. */
export const TIMEOUT_MS = 20_000;
const POLL_INTERVAL_MS = 10;

/**
 * Resolves with the first truthy value that `condition` returns.
 * @throws with the description when the time is over
 */
export async function waitFor<T>(
  description: string,
  condition: () => T | Promise<T>,
  withinMs = TIMEOUT_MS,
): Promise<NonNullable<T>> {
  const endMs = realTime.nowMs() + withinMs;
  for (;;) {
    const result = await condition();
    if (result) return result;
    if (realTime.nowMs() > endMs) throw new Error(`timed out waiting for ${description}`);
    await delay(realTime, POLL_INTERVAL_MS);
  }
}
