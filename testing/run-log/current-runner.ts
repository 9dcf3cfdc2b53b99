import {
  RUN_LOG_CONFIG,
  loggedTest,
  type RunLogConfig,
  type LoggedTest,
  type RunningTest,
} from './run-log-format.ts';

/** The test runner of a world. */
export interface Runner {
  /** Undefined when the run writes no log. */
  order: RunLogConfig | undefined;
  /** Returns the current test; its file when there is none, or when tests run concurrently. */
  current(): LoggedTest;
  /** Returns the path of the current test file. */
  currentFile(): string;
  /** Returns the task of the current test; undefined when there is none, or when tests run concurrently. */
  currentTask(): RunningTest | undefined;
}

/**
 * Returns vitest's runner in one of its workers; undefined elsewhere. Imported on demand, since a world works without
 * vitest.
 */
export async function currentRunner(): Promise<Runner | undefined> {
  if (process.env['VITEST'] === undefined) return undefined;
  try {
    const { inject, TestRunner, expect } = await import('vitest');
    const order = inject(RUN_LOG_CONFIG as never) as RunLogConfig | undefined;
    const currentTask = (): RunningTest | undefined => {
      const test = TestRunner.getCurrentTest();
      return test && test.concurrent !== true ? test : undefined;
    };
    const currentFile = () => expect.getState().testPath ?? '';
    return {
      order,
      currentFile,
      currentTask,
      current() {
        const test = currentTask();
        return test ? loggedTest(test) : { id: `file:${currentFile()}`, attempt: 0 };
      },
    };
  } catch {
    // The variable is also set in child processes of a test.
    return undefined;
  }
}
