import { gzipSync } from 'node:zlib';
import type { TakenStep } from '../../../server/dashboard/chart/marks.ts';
import type { MachineShape } from '../../../server/dashboard/view.ts';
import type { RecordedTest } from '../recording/recording-format.ts';
import type { CountedSteps } from './coverage.ts';
import type { WorldTimeline } from './report-data.ts';
import type { ReadLine } from './recording-reader.ts';

// A test that is asked to do one thing ten thousand times is not read entry by entry.
const ENTRIES_MAX = 1_000;

/** What was told during a run, by test. */
interface RunRecord {
  take(lines: readonly ReadLine[]): void;
  /** Hands out the stories of these tests, and forgets them. */
  release(isWanted: (testId: string) => boolean): WorldTimeline[];
  shapes(): MachineShape[];
  /** Steps of a machine over all tests so far. */
  steps(machineId: string): CountedSteps;
  /** Where a world is now: which test it serves. */
  testOf(world: string): RecordedTest | undefined;
}

export function createRunRecord(): RunRecord {
  const timelines = new Map<string, WorldTimeline>();
  const worlds = new Map<string, RecordedTest>();
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

  function storyOf(world: string, { id, attempt }: RecordedTest): WorldTimeline {
    const key = JSON.stringify([world, id, attempt]);
    const timeline = timelines.get(key) ?? { testId: id, attempt, entries: [], dropped: 0 };
    timelines.set(key, timeline);
    return timeline;
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
        const timeline = storyOf(world, worlds.get(world)!);
        if (timeline.entries.length < ENTRIES_MAX) timeline.entries.push(line.entry);
        else timeline.dropped += 1;
        if (line.entry.step) count(line.entry.step.machineId, line.entry.step);
      }
    },
    release(isWanted) {
      const wanted = [...timelines].filter(([, { testId }]) => isWanted(testId));
      for (const [key] of wanted) timelines.delete(key);
      return wanted.map(([, timeline]) => timeline);
    },
    shapes: () => [...shapes.values()],
    steps: (machineId) => steps.get(machineId) ?? new Map(),
    testOf: (world) => worlds.get(world),
  };
}

/** Stories as a report keeps them. */
export function packTimelines(timelines: readonly WorldTimeline[]): Buffer {
  return gzipSync(JSON.stringify(timelines), { level: 7 });
}
