import fc from 'fast-check';
import { test } from 'vitest';

/**
 * Declares a test that calls `check` with random values of the arbitraries, 100 times by default. A failure names the
 * smallest values found, with the seed and the path that repeat it.
 */
export function property<Values extends [unknown, ...unknown[]]>(
  arbitraries: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  parameters: fc.Parameters<Values> = {},
): (title: string, check: (...values: Values) => void | Promise<void>, timeoutMs?: number) => void {
  return (title, check, timeoutMs) => {
    const checked = fc.asyncProperty<Values>(...arbitraries, async (...values: Values) => check(...values));
    // oxlint-disable-next-line vitest/valid-title -- the caller writes the title
    test(title, () => fc.assert(checked, parameters), timeoutMs);
  };
}
