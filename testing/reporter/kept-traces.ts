import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../protocol/failures.ts';
import { snapshotTerminals } from '../../server/traces/trace-page.ts';
import { traceEntries } from '../../server/traces/trace-entries.ts';
import { readTrace } from '../../server/traces/trace-file.ts';
import type { WorldTimeline, TestSource } from './report-data.ts';
import type { RecordedTimeline } from './run-record.ts';
import { sourceLines } from './source-lines.ts';
import type { TestCall } from '../run-log/test-calls.ts';

/**
 * Returns the lines of a test file from its first call to a world to its last one, masked; undefined without calls, and for
 * a file that cannot be read.
 * @param name of the file in the report
 */
function sourceOfCalls(path: string, name: string, calls: readonly TestCall[]): TestSource | undefined {
  if (calls.length === 0) return undefined;
  const shown = sourceLines(
    path,
    calls.map(({ line }) => line),
  );
  return shown && { file: name, ...shown, calls: [...calls] };
}

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
        return { ...shown, traceProblem: `The trace cannot be read: ${messageOf(error)}` };
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
