import type { ReadonlySignal } from '@preact/signals';
import type { LeftOut, ReportData, ReportFile, ReportMachine, WorldTimeline } from '../report-data.ts';

/** Facts about the whole run. */
export interface RunFacts {
  outcome: ReportData['outcome'] | 'running';
  /** Null while it runs. */
  durationMs: number | null;
  leftOut: LeftOut | null;
  /** Path of the written report; null when there is none, and in a report itself. */
  report: string | null;
}

/** The tests that the page shows: from a report, or from a live run. */
export interface Source {
  /** Whether the run is still going on. */
  live: boolean;
  run: ReadonlySignal<RunFacts>;
  machines: ReadonlySignal<readonly ReportMachine[]>;
  files: ReadonlySignal<readonly ReportFile[]>;
  /** The test in which a machine stepped last; null in a report. */
  newest: ReadonlySignal<string | null>;
  /** The timelines of a test, one for each world; undefined until they are decompressed. */
  timelinesOf(file: ReportFile, testId: string): ReadonlySignal<readonly WorldTimeline[] | undefined>;
}
