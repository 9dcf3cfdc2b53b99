import type { TestCall } from '../../run-log/test-calls.ts';

/** Returns the line of the last call up to a moment; undefined before the first call, and for an unknown moment. */
export function lineAt(calls: readonly TestCall[], realMs: number | undefined): number | undefined {
  if (realMs === undefined) return undefined;
  return calls.findLast((call) => call.realMs <= realMs)?.line;
}
