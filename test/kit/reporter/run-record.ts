import { gzipSync } from 'node:zlib';
import type { TakenStep } from '../../../server/dashboard/chart/marks.ts';
import type { MachineShape } from '../../../server/dashboard/view.ts';
import type { TestOfStory } from '../story/story.ts';
import type { CountedSteps } from './coverage.ts';
import type { Story } from './report-data.ts';
import type { ReadLine } from './story-reader.ts';

// A test that is asked to do one thing ten thousand times is not read entry by entry.
const ENTRIES_MAX = 1_000;

/** What was told during a run, by test. */
export interface RunRecord {
  take(lines: readonly ReadLine[]): void;
  /** Hands out the stories of these tests, and forgets them. */
  release(isWanted: (testId: string) => boolean): Story[];
  shapes(): MachineShape[];
  /** Steps of a machine over all tests so far. */
  steps(machineId: string): CountedSteps;
  /** Where a world is now: which test it serves. */
  testOf(world: string): TestOfStory | undefined;
}

export function createRunRecord(): RunRecord {
  const stories = new Map<string, Story>();
  const worlds = new Map<string, TestOfStory>();
  const shapes = new Map<string, MachineShape>();
  const steps = new Map<string, Map<string, { step: TakenStep; times: number }>>();

  function count(machineId: string, { event, from, state }: TakenStep): void {
    const counted = steps.get(machineId) ?? new Map<string, { step: TakenStep; times: number }>();
    steps.set(machineId, counted);
    const key = JSON.stringify([from, event, state]);
    const known = counted.get(key);
    if (known) known.times += 1;
    else counted.set(key, { step: { event, from, state }, times: 1 });
  }

  function storyOf(world: string, { id, attempt }: TestOfStory): Story {
    const key = JSON.stringify([world, id, attempt]);
    const story = stories.get(key) ?? { testId: id, attempt, entries: [], dropped: 0 };
    stories.set(key, story);
    return story;
  }

  return {
    take(lines) {
      for (const { line, world } of lines) {
        if (line.kind === 'shape') {
          shapes.set(line.shape.machineId, line.shape);
          continue;
        }
        if (line.test) worlds.set(world, line.test);
        if (line.kind === 'world') continue;
        const story = storyOf(world, worlds.get(world)!);
        if (story.entries.length < ENTRIES_MAX) story.entries.push(line.entry);
        else story.dropped += 1;
        if (line.entry.step) count(line.entry.step.machineId, line.entry.step);
      }
    },
    release(isWanted) {
      const wanted = [...stories].filter(([, { testId }]) => isWanted(testId));
      for (const [key] of wanted) stories.delete(key);
      return wanted.map(([, story]) => story);
    },
    shapes: () => [...shapes.values()],
    steps: (machineId) => steps.get(machineId) ?? new Map(),
    testOf: (world) => worlds.get(world),
  };
}

/** Stories as a report keeps them. */
export function packStories(stories: readonly Story[]): Buffer {
  return gzipSync(JSON.stringify(stories), { level: 7 });
}
