import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { MachineShape, TimelineEntry } from '../../../server/dashboard/view.ts';
import { runnerAround, type Runner } from './runner.ts';
import { testOf, type RunningTest, type StoryLine, type StoryOrder, type TestOfStory } from './story.ts';

/** Where one world tells what happens in it. */
export interface WorldStory {
  tell(entry: TimelineEntry): void;
}

interface StoryFile {
  paceMs: number;
  worlds: number;
  write(line: StoryLine): void;
}

/** One file for each worker, whatever its worlds do: lines are short, and whole when they are there. */
const files = new Map<string, StoryFile>();

/**
 * The story of a world that begins now; undefined when nobody wants it. What happens is of `test`, or of the test
 * in which the world began; in a world that began before the tests, of the one that runs at the time.
 */
export async function beginStory(
  shapes: readonly MachineShape[],
  test?: RunningTest,
): Promise<WorldStory | undefined> {
  const runner = await runnerAround();
  if (!runner?.order) return undefined;
  const file = files.get(runner.order.folder) ?? openFile(runner.order, shapes);
  files.set(runner.order.folder, file);
  return tellIn(file, runner, test && testOf(test));
}

function tellIn(file: StoryFile, runner: Runner, given: TestOfStory | undefined): WorldStory {
  const world = ++file.worlds;
  const begun = given ?? runner.current();
  const isFixed = given !== undefined || !begun.id.startsWith('file:');
  let last = begun;
  file.write({ kind: 'world', world, test: begun });
  return {
    tell(entry) {
      const now = isFixed ? begun : runner.current();
      const moved = now.id !== last.id || now.attempt !== last.attempt;
      last = now;
      file.write({ kind: 'entry', world, ...(moved && { test: now }), entry });
      if (entry.kind === 'step' && file.paceMs > 0) standStill(file.paceMs);
    },
  };
}

function openFile({ folder, paceMs }: StoryOrder, shapes: readonly MachineShape[]): StoryFile {
  const name = `${process.pid}-${threadId}-${files.size}.jsonl`;
  const descriptor = openSync(join(folder, name), 'a');
  const file: StoryFile = {
    paceMs,
    worlds: 0,
    write: (line) => void writeSync(descriptor, `${JSON.stringify(line)}\n`),
  };
  for (const shape of shapes) file.write({ kind: 'shape', shape });
  return file;
}

/** Holds the whole worker, timers of the test included: to its world, and to a clock of its own, no time passes. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
