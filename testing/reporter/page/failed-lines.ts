import type { ReportError, TestSource } from '../report-data.ts';

/** Returns the numbers of the lines, of those given, that threw the errors. */
export function failedLines(
  { file, firstLine, lines }: Pick<TestSource, 'file' | 'firstLine' | 'lines'>,
  errors: readonly Pick<ReportError, 'stack'>[],
): ReadonlySet<number> {
  const thrown = errors.flatMap(({ stack: [first] }) => (first?.file === file ? [first.line] : []));
  return new Set(thrown.filter((line) => line >= firstLine && line < firstLine + lines.length));
}
