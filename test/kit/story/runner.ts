import { STORY_ORDER, testOf, type StoryOrder, type TestOfStory } from './story.ts';

/** The test runner around a world. */
export interface Runner {
  /** Answers undefined when nobody wants the story. */
  order: StoryOrder | undefined;
  /** The test that runs; its file where there is none, or several side by side, which a runner does not tell apart. */
  current(): TestOfStory;
}

/**
 * vitest, where a world runs in one of its workers; undefined anywhere else. It is asked for only there, since a
 * world does without it.
 */
export async function runnerAround(): Promise<Runner | undefined> {
  if (process.env['VITEST'] === undefined) return undefined;
  try {
    const { inject, TestRunner, expect } = await import('vitest');
    const order = inject(STORY_ORDER as never) as StoryOrder | undefined;
    return {
      order,
      current() {
        const test = TestRunner.getCurrentTest();
        return test && test.concurrent !== true
          ? testOf(test)
          : { id: `file:${expect.getState().testPath ?? ''}`, attempt: 0 };
      },
    };
  } catch {
    // The variable is set, and yet this is none of its workers: a child process of a test, for one.
    return undefined;
  }
}
