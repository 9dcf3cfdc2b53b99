import type { ReadonlySignal } from '@preact/signals';
import type { LeftOut, ReportData, ReportFile, ReportMachine, WorldTimeline } from '../report-data.ts';

/** A run as a whole, as far as it is known. */
export interface RunFacts {
  outcome: ReportData['outcome'] | 'running';
  /** Null while it runs. */
  durationMs: number | null;
  leftOut: LeftOut | null;
  /** Where the report is, for who watched the run; null when there is none, or this is it. */
  report: string | null;
}

/** Where the page has its tests from: a report that holds them, or a run that goes on. */
export interface Source {
  /** Stories still grow. */
  live: boolean;
  run: ReadonlySignal<RunFacts>;
  machines: ReadonlySignal<readonly ReportMachine[]>;
  files: ReadonlySignal<readonly ReportFile[]>;
  /** The test in which a machine stepped last; null in a report. */
  newest: ReadonlySignal<string | null>;
  /** What happened in the worlds of a test; undefined until it is unpacked. */
  timelinesOf(file: ReportFile, testId: string): ReadonlySignal<readonly WorldTimeline[] | undefined>;
}
