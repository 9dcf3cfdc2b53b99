import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fault } from '../../../protocol/failures.ts';
import { packTrace, readTrace, traceLines } from '../../../server/traces/trace-file.ts';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';
import { writeTest } from '../../../world/written-test/write-test.ts';
import { prepareSessions } from '../replay/recorded-session.ts';
import { unknownCode } from './known-code.ts';
import { mutateTrace } from './mutate-trace.ts';
import { countFrom } from '../../kit/count-from.ts';

// MUTATED_TRACES=10000 MUTATED_SEED=anything: a longer run.
const count = countFrom('MUTATED_TRACES', 200);
const seed = process.env['MUTATED_SEED'] ?? 'mutated';
const timeoutMs = 20_000 + 100 * count;

/** Sessions whose tests have every kind of line. */
const SESSIONS = [
  ['refund at the terminal', 'right PIN'],
  ['captured and refunded', 'repeated request'],
  ['another terminal', 'no paper'],
  ['uploaded file', 'clock advanced'],
  ['settings of an account', 'customer'],
  ['challenge passed', 'cancelled with the key'],
];

const traces: Trace[] = [];
const sessions = prepareSessions();
beforeAll(async () => {
  for (const names of SESSIONS) traces.push(await sessions.record(names, 'mutated'));
});
afterAll(() => sessions.close());

/** Returns the test that is written of the lines of a trace, as the command does it. @throws Fault for a refused trace */
async function writtenOf(lines: readonly unknown[]): Promise<string> {
  return writeTest(await readTrace(await packTrace(lines)), './session.tapbench');
}

function* changedTraces() {
  for (let number = 0; number < count; number += 1) {
    const trace = traces[number % traces.length]!;
    const name = `${seed} ${number}`;
    yield { trace, lines: mutateTrace(trace, name), name };
  }
}

test('written test: those of traces as they were recorded have no code that the writer does not know', async () => {
  for (const trace of traces) expect(unknownCode(await writtenOf(traceLines(trace)))).toEqual([]);
});

test.each([
  [`(await import('node:fs')).writeFileSync('a', 'b')`, 'has ImportExpression'],
  ['process.exit();', 'calls unknown process.exit'],
  ['world.advance.constructor("")();', 'calls world.advance.constructor'],
  ['const a = `${api}`;', 'interpolates client'],
  ['const a = () => 1;', 'has 3 functions'],
  ['const a = b;', 'reads b'],
])('written test: the check finds %s in a test', async (line, problem) => {
  const code = await writtenOf(traceLines(traces[0]!));
  const changed = code.replace('const { api } = world;', `$&\n${line.replaceAll('$', '$$$$')}`);
  expect(unknownCode(changed)).toContain(problem);
});

test(
  `written test: of ${count} changed traces each is refused, or its test parses and has no code that the writer does not know`,
  async () => {
    let written = 0;
    for (const { lines, name } of changedTraces()) {
      const code = await writtenOf(lines).catch((thrown: unknown) => {
        if (thrown instanceof Fault && thrown.code === 'bad_setting') return undefined;
        throw new Error(name, { cause: thrown });
      });
      if (code === undefined) continue;
      written += 1;
      expect(unknownCode(code), name).toEqual([]);
    }
    if (count > 1_000) console.log(`${written} of ${count} were written, the others refused`);
    // Both happen often, so that neither is the only thing tested.
    expect(written).toBeGreaterThan(count / 4);
    expect(count - written).toBeGreaterThan(count / 10);
  },
  timeoutMs,
);

test(
  `written test: of ${count} changed traces whose items are not checked none has code that the writer does not know`,
  () => {
    let written = 0;
    for (const { trace, lines, name } of changedTraces()) {
      const items = lines.slice(-1 - trace.items.length, -1) as Trace['items'];
      let code: string;
      try {
        code = writeTest({ ...trace, items }, './session.tapbench');
      } catch {
        continue;
      }
      written += 1;
      expect(unknownCode(code), name).toEqual([]);
    }
    if (count > 1_000) console.log(`${written} of ${count} were written without the check`);
    expect(written).toBeGreaterThan(count / 4);
  },
  timeoutMs,
);
