import type { DrawnMachine } from '../../chart/chart.ts';
import type { ActionView, FleetTerminal, TimelineEntry } from '../../view.ts';

/** An action without what changes while it runs. */
export interface RecordedAction extends Omit<ActionView, 'state' | 'lastEvent' | 'deadlineMs'> {
  terminalId: string;
}

/** What the viewer shows of a recording. */
export interface RecordedContent {
  entries: readonly TimelineEntry[];
  /** Terminals and actions that were there before, of which the entries may not say everything. */
  terminals: readonly FleetTerminal[];
  actions: readonly RecordedAction[];
}

/** The content of a trace page, as JSON in its file. */
export interface TraceContent extends RecordedContent {
  title: string;
  sandbox: string;
  /** Time of the sandbox at the beginning, epoch milliseconds. */
  clockMs: number;
  seed: string | null;
  /** Version of the program that wrote the trace. */
  writtenBy: string;
  /** Whether the recording ended because it was as large as it may be. */
  isCut: boolean;
  /** Reasons why it cannot be replayed, in words. */
  notReplayable: readonly string[];
  /** What a hunt found: what is wrong, and what happened, a line each; null in other traces. */
  found: { verdict: string; story: readonly string[] } | null;
  machines: readonly DrawnMachine[];
}
