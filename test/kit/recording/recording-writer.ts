import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { MachineShape, TimelineEntry } from '../../../server/dashboard/view.ts';
import { currentRunner, type Runner } from './current-runner.ts';
import {
  recordedTest,
  type RunningTest,
  type RecordingLine,
  type RecordingConfig,
  type RecordedTest,
} from './recording-format.ts';

/** Recording of one world. */
export interface WorldRecording {
  record(entry: TimelineEntry): void;
}

interface RecordingFile {
  paceMs: number;
  worlds: number;
  write(line: RecordingLine): void;
}

/** One file for each worker. Lines are written whole. */
const files = new Map<string, RecordingFile>();

/**
 * Opens the recording of a world; undefined when recording is off. Entries belong to `test`, else to the test in which
 * the world started; for a world started outside tests, to the test running at the time.
 */
export async function openRecording(
  shapes: readonly MachineShape[],
  test?: RunningTest,
): Promise<WorldRecording | undefined> {
  const runner = await currentRunner();
  if (!runner?.order) return undefined;
  const file = files.get(runner.order.folder) ?? openFile(runner.order, shapes);
  files.set(runner.order.folder, file);
  return createRecording(file, runner, test && recordedTest(test));
}

function createRecording(
  file: RecordingFile,
  runner: Runner,
  given: RecordedTest | undefined,
): WorldRecording {
  const world = ++file.worlds;
  const begun = given ?? runner.current();
  const isFixed = given !== undefined || !begun.id.startsWith('file:');
  let last = begun;
  file.write({ kind: 'world', world, test: begun });
  return {
    record(entry) {
      const now = isFixed ? begun : runner.current();
      const moved = now.id !== last.id || now.attempt !== last.attempt;
      last = now;
      file.write({ kind: 'entry', world, ...(moved && { test: now }), entry });
      if (entry.kind === 'step' && file.paceMs > 0) blockThread(file.paceMs);
    },
  };
}

function openFile({ folder, paceMs }: RecordingConfig, shapes: readonly MachineShape[]): RecordingFile {
  const name = `${process.pid}-${threadId}-${files.size}.jsonl`;
  const descriptor = openSync(join(folder, name), 'a');
  const file: RecordingFile = {
    paceMs,
    worlds: 0,
    write: (line) => void writeSync(descriptor, `${JSON.stringify(line)}\n`),
  };
  for (const shape of shapes) file.write({ kind: 'shape', shape });
  return file;
}

/** Blocks the whole worker, including timers of the test, so that no time passes in the world. */
function blockThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
