import { monotonicMs } from '../../protocol/clock.ts';
import { callPlace, type CallPlace } from './call-place.ts';

/** A call of a test to its world, with the line of the test file that made it. */
export interface TestCall {
  /** On the scale of the trace that it is shown with. */
  realMs: number;
  line: number;
}

/** The calls of a test to one world. */
interface TestCalls {
  /** Adds the call that is made now. */
  add(): void;
  /**
   * Returns the calls that came from a test file.
   * @param beganMs monotonic time at which the trace began
   */
  from(testFile: string, beganMs: number): TestCall[];
}

// A report shows the end of a long trace.
const CALLS_MAX = 2_000;

/** Remembers calls by their stacks. V8 formats a stack when it is read, which is only when a test fails. */
export function rememberCalls(): TestCalls {
  let calls: { atMs: number; place: CallPlace }[] = [];
  return {
    add() {
      calls.push({ atMs: monotonicMs(), place: callPlace() });
      if (calls.length > 2 * CALLS_MAX) calls = calls.slice(-CALLS_MAX);
    },
    from(testFile, beganMs) {
      return calls.slice(-CALLS_MAX).flatMap(({ atMs, place }) => {
        const line = lineIn(place.stack ?? '', testFile);
        return line === undefined ? [] : [{ realMs: Math.round((atMs - beganMs) * 1_000) / 1_000, line }];
      });
    },
  };
}

/** Returns the line of the innermost frame of a file. */
function lineIn(stack: string, file: string): number | undefined {
  const frame = stack.split('\n').find((text) => text.includes(`${file}:`));
  const line = frame?.slice(frame.indexOf(`${file}:`) + file.length + 1).match(/^\d+/)?.[0];
  return line === undefined ? undefined : Number(line);
}
