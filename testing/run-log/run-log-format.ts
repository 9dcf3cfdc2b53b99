import type { MachineShape, TimelineEntry } from '../../server/dashboard/view.ts';
import type { TestCall } from './test-calls.ts';

/**
 * The log of a test run, as JSON lines in a folder with a file for each worker. The reporter creates the folder and
 * reads the files as they grow.
 */
export type RunLogLine = WorldStarted | EntryLine | ShapeLine | TraceLine | HuntLine;

/** A world was started. */
interface WorldStarted {
  kind: 'world';
  /** Number of the world in its file, from 1. */
  world: number;
  test: LoggedTest;
}

/** An entry of a world's timeline. */
interface EntryLine {
  kind: 'entry';
  world: number;
  /** Set when it differs from the previous entry's test. */
  test?: LoggedTest;
  entry: TimelineEntry;
}

/** The trace of a world was written, since a test failed. */
interface TraceLine {
  kind: 'trace';
  world: number;
  test: LoggedTest;
  /** Name of its file in the folder for traces. */
  file: string;
  /** The calls of the test file, on the scale of the trace. */
  calls: TestCall[];
}

/** A hunt of a test has ended. */
interface HuntLine {
  kind: 'hunt';
  test: LoggedTest;
  hunt: LoggedHunt;
}

/** A place at which faults can strike what a scenario does, and how often the plans of a hunt struck it. */
export interface TriedPlace {
  /** Its cut point, such as `api.reply`, or `integrator`. */
  at: string;
  /** What happens there: the operation, message, state, effect or event; empty where it has no name. */
  what: string;
  /** How often it happened without faults. */
  happened: number;
  /** How many faults of the plans that were tried were to strike it. */
  planned: number;
  /** How many of these struck it. */
  struck: number;
  /** Why some or all of them struck nothing, or none was planned; absent when each struck. */
  why?: string;
}

/** What a hunt has tried. */
export interface LoggedHunt {
  seed: string;
  /** What goes wrong under the plan that was found; null when none was. */
  verdict: string | null;
  /** What happened under the plan that was found, a line each; none when none was. */
  story: string[];
  plans: number;
  /** Number of plans that could not be judged. */
  notJudged: number;
  tried: TriedPlace[];
  warnings: string[];
}

/** Description of a machine. */
interface ShapeLine {
  kind: 'shape';
  shape: MachineShape;
}

export interface LoggedTest {
  /** Id of the test in its runner; of its file when no test was running, as in `beforeAll`. */
  id: string;
  /** Number of earlier attempts, when the runner retries. */
  attempt: number;
}

/** Configuration that the reporter passes to its workers, as the context `tapbench` of vitest's `provide`. */
export interface RunLogConfig {
  folder: string;
  /** Folder for the traces of failed tests; empty when none are kept. */
  traces: string;
  /** Pause of a world after each step of a machine, in real milliseconds. */
  paceMs: number;
}

/** Name of the provided context. */
export const RUN_LOG_CONFIG = 'tapbench';

/** A test as its runner represents it, such as vitest's `task`. */
export interface RunningTest {
  readonly id: string;
  readonly name?: string;
  /** Of vitest: registers what is called when the test fails. */
  readonly context?: { onTestFailed?(listener: () => Promise<void>): void };
  readonly result?: { readonly retryCount?: number | undefined } | undefined;
}

export function loggedTest({ id, result }: RunningTest): LoggedTest {
  return { id, attempt: result?.retryCount ?? 0 };
}
