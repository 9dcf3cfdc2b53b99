import { Fault, messageOf } from '../../protocol/failures.ts';
import { writeJunitFile, type JunitCase } from '../../testing/reporter/junit-xml.ts';
import type { CommandContext } from './command-context.ts';
import { stringOption } from './option.ts';

/** The option of commands that judge, for CI. */
export const junit = stringOption({
  flag: '--junit <file>',
  description: 'File to which the result is written as JUnit XML too, for CI',
  defaultText: 'none is written',
});

/** What a command has judged, one outcome for each case. */
export type JudgedCases = Pick<JunitCase, 'name' | 'outcome'>[];

interface JunitReport<T> {
  /** Undefined writes nothing. */
  file: string | undefined;
  /** Name of the suite, such as `tapbench drill`, and of the class of its cases. */
  suite: string;
  className: string;
  /** Name of the case that stands for all when nothing could be judged. */
  whole: string;
  casesOf(result: T): JudgedCases;
}

/**
 * Runs what judges, and writes what came of it. When it throws, the file says that it could not be found out, so that the
 * file of an earlier run is not taken for this one.
 * @throws what `judge` throws, and Fault `bad_setting` when the file cannot be written
 */
export async function withJunitReport<T>(
  { clock }: Pick<CommandContext, 'clock'>,
  { file, suite, className, whole, casesOf }: JunitReport<T>,
  judge: () => Promise<T>,
): Promise<T> {
  const startMs = clock.nowMs();
  const write = (cases: JudgedCases) => {
    if (file === undefined) return;
    // The time is that of all cases.
    const durationMs = (clock.nowMs() - startMs) / cases.length;
    const timed = cases.map((one) => ({ ...one, className, durationMs }));
    try {
      writeJunitFile(file, [{ name: suite, cases: timed }], startMs);
    } catch (thrown) {
      throw new Fault('bad_setting', `--junit ${file} cannot be written: ${messageOf(thrown)}`, {
        cause: thrown,
      });
    }
  };
  let result: T;
  try {
    result = await judge();
  } catch (thrown) {
    write([{ name: whole, outcome: { kind: 'error', message: messageOf(thrown) } }]);
    throw thrown;
  }
  write(casesOf(result));
  return result;
}
