import type { ReportError, TestSource } from '../report-data.ts';
import type { TestCall } from '../../run-log/test-calls.ts';

/** Returns the numbers of the lines, of those given, that threw the errors. */
export function failedLines(
  { file, firstLine, lines }: Pick<TestSource, 'file' | 'firstLine' | 'lines'>,
  errors: readonly Pick<ReportError, 'stack'>[],
): ReadonlySet<number> {
  const thrown = errors.flatMap(({ stack: [first] }) => (first?.file === file ? [first.line] : []));
  return new Set(thrown.filter((line) => line >= firstLine && line < firstLine + lines.length));
}

/** Returns the line of the last call up to a moment; undefined before the first call, and for an unknown moment. */
export function lineAt(calls: readonly TestCall[], realMs: number | undefined): number | undefined {
  if (realMs === undefined) return undefined;
  return calls.findLast((call) => call.realMs <= realMs)?.line;
}
