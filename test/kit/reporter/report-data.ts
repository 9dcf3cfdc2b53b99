import type { ChartLayout } from '../../../server/dashboard/chart/chart.ts';
import type { MachineShape, TimelineEntry } from '../../../server/dashboard/view.ts';
import type { MachineCoverage } from './coverage.ts';

/** The content of a report, as JSON between the reporter and its page. */
export interface ReportData {
  version: string;
  /** Epoch milliseconds. */
  madeAtMs: number;
  outcome: 'passed' | 'failed' | 'interrupted';
  durationMs: number;
  machines: ReportMachine[];
  files: ReportFile[];
  /** What was left out to keep the file within its size limit. */
  leftOut: LeftOut;
}

export interface ReportMachine {
  shape: MachineShape;
  layout: ChartLayout;
  /** Null while the tests run. */
  coverage: MachineCoverage | null;
}

/** A test file. */
export interface ReportFile {
  /** Relative to the root of the project. */
  path: string;
  /** Name of the vitest project; empty when there is one project. */
  project: string;
  /** Errors outside its tests, such as import errors. */
  errors: string[];
  tests: ReportTest[];
  /** Index of the packet with its timelines; null without timelines. */
  packet: number | null;
}

export type TestState = 'passed' | 'failed' | 'skipped' | 'running';

export interface ReportTest {
  id: string;
  /** Full name, with the suites separated by ` > `; empty for entries outside tests. */
  name: string;
  state: TestState;
  durationMs: number;
  /** Error messages, shortened. */
  errors: string[];
  /** Number of machine steps in its worlds. */
  steps: number;
}

/** The timeline of one world of a test. */
export interface WorldTimeline {
  testId: string;
  /** Number of earlier attempts. */
  attempt: number;
  entries: TimelineEntry[];
  /** Number of entries left out beyond the limit of one world. */
  dropped: number;
}

export interface LeftOut {
  limitBytes: number;
  /** Number of test files without the details of entries. */
  withoutDetails: number;
  /** Number of test files without timelines. */
  withoutTimeline: number;
}

/** Messages to the live page, each as a server-sent event. */
export type LivePageMessage =
  | { type: 'machine'; machine: ReportMachine }
  | { type: 'test'; file: Pick<ReportFile, 'path' | 'project'>; test: ReportTest }
  | { type: 'world'; world: string; testId: string; attempt: number }
  | { type: 'entry'; world: string; entry: TimelineEntry }
  | { type: 'end'; outcome: ReportData['outcome']; report: string | null };
