import type { DrawnMachine } from '../../server/dashboard/chart/chart.ts';
import type { TimelineEntry } from '../../server/dashboard/view.ts';
import type { RecordedContent } from '../../server/dashboard/page/trace/trace-content.ts';
import type { LoggedHunt } from '../run-log/run-log-format.ts';
import type { TestCall } from '../run-log/test-calls.ts';
import type { MachineCoverage } from './coverage.ts';

/** The content of a report, as JSON between the reporter and its page. */
export interface ReportData {
  version: string;
  /** Epoch milliseconds. */
  madeAtMs: number;
  outcome: 'passed' | 'failed' | 'interrupted';
  durationMs: number;
  /** Number of worlds that the tests started. */
  worlds: number;
  machines: ReportMachine[];
  files: ReportFile[];
  /** What was left out to keep the file within its size limit. */
  leftOut: LeftOut;
}

export interface ReportMachine extends DrawnMachine {
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
  errors: ReportError[];
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
  errors: ReportError[];
  /** What it wrote to the console; of a test that failed. */
  console: ConsoleText[];
  /** Number of machine steps in its worlds. */
  steps: number;
  /** What its hunts have tried. */
  hunts: LoggedHunt[];
  /** Its traces, one for each world of a test that failed. */
  traces: ReportTrace[];
}

/** The trace file of a world. */
export interface ReportTrace {
  /** From the root of the project. */
  path: string;
  /** Address of the file, from the folder of the report. */
  href: string;
  /** Why the report does not show it, in words; null when it does. */
  problem: string | null;
}

/** An error of a test, masked and shortened. */
export interface ReportError {
  message: string;
  /** Expected and received values, line by line; null when they were not compared. */
  diff: string | null;
  /** The frames of the project's own code, innermost first. */
  stack: { method: string; file: string; line: number; column: number }[];
  /** The lines around the first frame; null when its file cannot be read. */
  source: { firstLine: number; lines: string[] } | null;
}

export interface ConsoleText {
  stream: 'stdout' | 'stderr';
  text: string;
}

/** The timeline of one world of a test. */
export interface WorldTimeline {
  testId: string;
  /** Number of earlier attempts. */
  attempt: number;
  entries: TimelineEntry[];
  /** Number of entries left out beyond the limit of one world. */
  dropped: number;
  /** Name of the trace's file in the folder for traces; of a test that failed. */
  trace?: string;
  /** Why the entries are not those of the trace, in words. */
  traceProblem?: string;
  /** Terminals and actions that were there before the trace began. */
  before?: Pick<RecordedContent, 'terminals' | 'actions'>;
  /** The lines of the test that called the world; of a world with a trace. */
  source?: TestSource;
}

/** A part of a test file, and the calls to a world that came from its lines. */
export interface TestSource {
  /** Relative to the root of the project. */
  file: string;
  firstLine: number;
  /** Masked. */
  lines: string[];
  /** In order; `realMs` is on the scale of the timeline's entries. */
  calls: TestCall[];
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
