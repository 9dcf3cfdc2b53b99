import { delay, SystemClock } from '../../protocol/clock.ts';

export const realTime = new SystemClock();

/** Longest that a test waits for something that must happen. Only a failing test waits that long. */
export const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 10;

/**
 * What `look` sees as soon as it sees something.
 * @throws when it sees nothing in time, saying what was awaited
 */
export async function eventually<T>(
  what: string,
  look: () => T | Promise<T>,
  withinMs = PATIENCE_MS,
): Promise<NonNullable<T>> {
  const endMs = realTime.nowMs() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (realTime.nowMs() > endMs) throw new Error(`waited in vain for: ${what}`);
    await delay(realTime, LOOK_EVERY_MS);
  }
}
