import { openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { makeFolder } from '../../protocol/system/make-folder.ts';
import type { MachineShape, TimelineEntry } from '../../server/dashboard/view.ts';
import { currentRunner, type Runner } from './current-runner.ts';
import {
  loggedTest,
  type RunningTest,
  type RunLogLine,
  type RunLogConfig,
  type LoggedTest,
  type LoggedHunt,
} from './run-log-format.ts';
import { rememberCalls } from './test-calls.ts';

/** Writes what happens in one world. */
export interface WorldLogWriter {
  record(entry: TimelineEntry): void;
  /** Begins a trace of the world and keeps it. Returns undefined, and begins none, when the reporter wants no traces. */
  keepTrace<T extends KeptTrace>(begin: () => T): T | undefined;
  /** Adds a call of the test to the world, which is made now. */
  addCall(): void;
}

/** What is kept of a world for a test that fails. */
export interface KeptTrace {
  /** Monotonic time at which it began. */
  beganMs: number;
  /** Returns the bytes of a trace file of what happened so far. */
  make(title: string): Promise<Buffer>;
}

interface RunLogFile {
  paceMs: number;
  worlds: number;
  write(line: RunLogLine): void;
}

/** One file for each worker. Lines are written whole. */
const files = new Map<string, RunLogFile>();

/**
 * Opens the log of a world; undefined when the run writes no log. Entries belong to `test`, else to the test in which
 * the world started; for a world started outside tests, to the test running at the time.
 */
export async function openWorldLogWriter(
  shapes: readonly MachineShape[],
  test?: RunningTest,
): Promise<WorldLogWriter | undefined> {
  const runner = await currentRunner();
  if (!runner?.order) return undefined;
  return createWorldLogWriter(fileOf(runner.order, '', shapes), runner, test);
}

/** Writes what a hunt of the current test has tried into the log of the run, if it has one. */
export async function logHunt(hunt: LoggedHunt): Promise<void> {
  const runner = await currentRunner();
  if (!runner?.order) return;
  // A file of its own: that of the worlds begins with the shapes of their machines, which a hunt does not have.
  fileOf(runner.order, 'hunts', []).write({ kind: 'hunt', test: runner.current(), hunt });
}

function fileOf(order: RunLogConfig, about: string, shapes: readonly MachineShape[]): RunLogFile {
  const key = join(order.folder, about);
  const file = files.get(key) ?? openFile(order, shapes);
  files.set(key, file);
  return file;
}

function createWorldLogWriter(
  file: RunLogFile,
  runner: Runner,
  given: RunningTest | undefined,
): WorldLogWriter {
  const world = ++file.worlds;
  const begun = given ? loggedTest(given) : runner.current();
  const isFixed = given !== undefined || !begun.id.startsWith('file:');
  const folder = runner.order?.traces ?? '';
  const testCalls = rememberCalls();
  let kept: KeptTrace | undefined;
  let last = begun;

  /** Writes a trace when the test that runs now fails. */
  function watchTest(): void {
    const task = given ?? runner.currentTask();
    if (!kept || !task) return;
    const { make, beganMs } = kept;
    const testFile = runner.currentFile();
    task.context?.onTestFailed?.(async () => {
      const test = loggedTest(task);
      const name = traceName(task.name ?? '', test, world);
      makeFolder(folder);
      writeFileSync(join(folder, name), await make(task.name ?? ''));
      const calls = testCalls.from(testFile, beganMs);
      file.write({ kind: 'trace', world, test, file: name, calls });
    });
  }

  file.write({ kind: 'world', world, test: begun });
  return {
    record(entry) {
      const now = isFixed ? begun : runner.current();
      const moved = now.id !== last.id || now.attempt !== last.attempt;
      last = now;
      if (moved) watchTest();
      file.write({ kind: 'entry', world, ...(moved && { test: now }), entry });
      if (entry.kind === 'step' && file.paceMs > 0) blockThread(file.paceMs);
    },
    keepTrace(begin) {
      if (folder === '') return undefined;
      const trace = begin();
      kept = trace;
      watchTest();
      return trace;
    },
    addCall() {
      if (folder !== '') testCalls.add();
    },
  };
}

/** Returns the name of a trace's file: the same in each run of the same tests. */
function traceName(title: string, { id, attempt }: LoggedTest, world: number): string {
  const words = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const parts = [words.slice(0, 80), id, ...(attempt > 0 ? [`attempt${attempt + 1}`] : []), `world${world}`];
  return `${parts
    .join('-')
    .replaceAll(/[^\w-]+/g, '')
    .replace(/^-/, '')}.tapbench`;
}

function openFile({ folder, paceMs }: RunLogConfig, shapes: readonly MachineShape[]): RunLogFile {
  const name = `${process.pid}-${threadId}-${files.size}.jsonl`;
  const descriptor = openSync(join(folder, name), 'a');
  const file: RunLogFile = {
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
