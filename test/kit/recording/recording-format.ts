import type { MachineShape, TimelineEntry } from '../../../server/dashboard/view.ts';

/**
 * What the worlds of a run tell, as lines of JSON in a folder of the run: a file for each worker, since workers
 * run side by side and one may die. The reporter makes it, and reads it as it grows.
 */
export type RecordingLine = WorldStarted | EntryLine | ShapeLine;

/** A world began. */
interface WorldStarted {
  kind: 'world';
  /** Counts the worlds of a file, from 1. */
  world: number;
  test: RecordedTest;
}

/** Something happened in a world. */
interface EntryLine {
  kind: 'entry';
  world: number;
  /** Only where it is another test than the one before it: a world may serve many. */
  test?: RecordedTest;
  entry: TimelineEntry;
}

/** What a machine of this worker looks like. */
interface ShapeLine {
  kind: 'shape';
  shape: MachineShape;
}

export interface RecordedTest {
  /** The id of the test, as its runner gives it; of its file when no test was running, as in `beforeAll`. */
  id: string;
  /** How often it had been tried before: its runner tries a test again that fails. */
  attempt: number;
}

/** What the reporter gives its workers; travels as the context `tapbench` of vitest's `provide`. */
export interface RecordingConfig {
  folder: string;
  /** How long a world stands still after each step of a machine, in real milliseconds. */
  paceMs: number;
}

/** The name under which the order is provided. */
export const RECORDING_CONFIG = 'tapbench';

/** A runner's own word for a test. vitest's `task` is one. */
export interface RunningTest {
  readonly id: string;
  readonly result?: { readonly retryCount?: number | undefined } | undefined;
}

export function recordedTest({ id, result }: RunningTest): RecordedTest {
  return { id, attempt: result?.retryCount ?? 0 };
}
