import type { ChartLayout } from '../../../server/dashboard/chart/chart.ts';
import type { MachineShape, TimelineEntry } from '../../../server/dashboard/view.ts';
import type { MachineCoverage } from './coverage.ts';

/** What a report holds, as JSON between the reporter and its page. */
export interface ReportData {
  version: string;
  /** Epoch milliseconds. */
  madeAtMs: number;
  outcome: 'passed' | 'failed' | 'interrupted';
  durationMs: number;
  machines: ReportMachine[];
  files: ReportFile[];
  /** What had to be left out so that the file stays within its limit. */
  leftOut: LeftOut;
}

export interface ReportMachine {
  shape: MachineShape;
  layout: ChartLayout;
  /** Absent while the tests run. */
  coverage: MachineCoverage | null;
}

/** A file of tests. */
export interface ReportFile {
  /** From the root of the project. */
  path: string;
  /** Of vitest's projects, when there are several. */
  project: string;
  /** What went wrong outside its tests, as in loading it. */
  errors: string[];
  tests: ReportTest[];
  /** Which of the report's packets holds its stories; null when they are left out, or there are none. */
  packet: number | null;
}

export type TestState = 'passed' | 'failed' | 'skipped' | 'running';

export interface ReportTest {
  id: string;
  /** With the names of the suites around it, ` > ` between them; empty for what no test was running for. */
  name: string;
  state: TestState;
  durationMs: number;
  /** First lines of what went wrong. */
  errors: string[];
  /** Steps that machines took in its worlds. */
  steps: number;
}

/** What happened in one world of a test. */
export interface WorldTimeline {
  testId: string;
  /** How often the test had been tried before. */
  attempt: number;
  entries: TimelineEntry[];
  /** Entries beyond the most that are kept of one world. */
  dropped: number;
}

export interface LeftOut {
  limitBytes: number;
  /** Files of tests whose entries are without what opens below them. */
  withoutDetails: number;
  /** Files of tests without any timeline. */
  withoutTimeline: number;
}

/** What the page of a run under way is told, one line of a server-sent event each. */
export type StageMessage =
  | { type: 'machine'; machine: ReportMachine }
  | { type: 'test'; file: Pick<ReportFile, 'path' | 'project'>; test: ReportTest }
  | { type: 'world'; world: string; testId: string; attempt: number }
  | { type: 'entry'; world: string; entry: TimelineEntry }
  | { type: 'end'; outcome: ReportData['outcome']; report: string | null };
