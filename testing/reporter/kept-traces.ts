import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { snapshotTerminals } from '../../server/traces/snapshot-terminals.ts';
import { traceEntries } from '../../server/traces/trace-entries.ts';
import { readTrace } from '../../server/traces/trace-file.ts';
import type { WorldTimeline } from './report-data.ts';
import type { RecordedTimeline } from './run-record.ts';
import { sourceOfCalls } from './test-source.ts';

// A report shows the end of a long trace; its file has all of it.
const ENTRIES_MAX = 3_000;

/** Deletes the traces that an earlier run left in a folder. */
export function deleteTraces(folder: string): void {
  if (folder === '' || !existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.endsWith('.tapbench')) rmSync(join(folder, name));
}

/**
 * Returns the timelines of worlds, those with a trace as the trace has them: with all requests and their bodies, and with
 * the lines of the test that called the world. A trace that cannot be read leaves what the run recorded, and says why.
 */
export function withTraces(
  timelines: readonly RecordedTimeline[],
  folder: string,
  testFile: { path: string; name: string },
): Promise<WorldTimeline[]> {
  return Promise.all(
    timelines.map(async ({ calls = [], ...timeline }) => {
      if (timeline.trace === undefined) return timeline;
      const source = sourceOfCalls(testFile.path, testFile.name, calls);
      const shown = { ...timeline, ...(source && { source }) };
      try {
        return { ...shown, ...(await traceContent(join(folder, timeline.trace))) };
      } catch (error) {
        return { ...shown, traceProblem: `The trace cannot be read: ${(error as Error).message}` };
      }
    }),
  );
}

async function traceContent(path: string): Promise<Pick<WorldTimeline, 'entries' | 'dropped' | 'before'>> {
  const { items, snapshot } = await readTrace(readFileSync(path));
  const entries = traceEntries(items);
  return {
    entries: entries.slice(-ENTRIES_MAX),
    dropped: Math.max(0, entries.length - ENTRIES_MAX),
    before: snapshotTerminals(snapshot),
  };
}
