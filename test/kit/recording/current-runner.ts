import {
  RECORDING_CONFIG,
  recordedTest,
  type RecordingConfig,
  type RecordedTest,
} from './recording-format.ts';

/** The test runner around a world. */
export interface Runner {
  /** Answers undefined when nobody wants the story. */
  order: RecordingConfig | undefined;
  /** The test that runs; its file where there is none, or several side by side, which a runner does not tell apart. */
  current(): RecordedTest;
}

/**
 * vitest, where a world runs in one of its workers; undefined anywhere else. It is asked for only there, since a
 * world does without it.
 */
export async function currentRunner(): Promise<Runner | undefined> {
  if (process.env['VITEST'] === undefined) return undefined;
  try {
    const { inject, TestRunner, expect } = await import('vitest');
    const order = inject(RECORDING_CONFIG as never) as RecordingConfig | undefined;
    return {
      order,
      current() {
        const test = TestRunner.getCurrentTest();
        return test && test.concurrent !== true
          ? recordedTest(test)
          : { id: `file:${expect.getState().testPath ?? ''}`, attempt: 0 };
      },
    };
  } catch {
    // The variable is set, and yet this is none of its workers: a child process of a test, for one.
    return undefined;
  }
}
