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

/** Where one world tells what happens in it. */
export interface WorldRecording {
  record(entry: TimelineEntry): void;
}

interface RecordingFile {
  paceMs: number;
  worlds: number;
  write(line: RecordingLine): void;
}

/** One file for each worker, whatever its worlds do: lines are short, and whole when they are there. */
const files = new Map<string, RecordingFile>();

/**
 * The story of a world that begins now; undefined when nobody wants it. What happens is of `test`, or of the test
 * in which the world began; in a world that began before the tests, of the one that runs at the time.
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

/** Holds the whole worker, timers of the test included: to its world, and to a clock of its own, no time passes. */
function blockThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
