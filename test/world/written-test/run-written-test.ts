import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { traceFile } from '../../../server/traces/trace-file.ts';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';
import { startWorld } from '../../../testing/world/user-world.ts';

type WrittenTest = (
  world: typeof startWorld,
  expectation: typeof expect,
  finished: typeof onTestFinished,
  trace: URL,
) => Promise<void>;

/** Runs the code of a written test in this process: what its `test` has as a function. */
export async function runWrittenTest(trace: Trace, code: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-written-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'session.tapbench');
  writeFileSync(file, await traceFile(trace));
  const body = /async \(\) => \{\n(.*)\n\}, 60_000\);\n$/s.exec(code)![1]!;
  const names = 'startWorld, expect, onTestFinished, TRACE';
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- the code under test is a text
  const run = new Function(`return async (${names}) => {\n${body}\n};`)() as WrittenTest;
  await run(startWorld, expect, onTestFinished, pathToFileURL(file));
}
