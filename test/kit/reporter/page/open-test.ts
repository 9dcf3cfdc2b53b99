import type { ReportFile, ReportTest } from '../report-data.ts';
import type { Source } from './source.ts';

interface FoundTest {
  file: ReportFile;
  test: ReportTest;
}

export function testsOf({ files }: Source): Map<string, FoundTest> {
  return new Map(files.value.flatMap((file) => file.tests.map((test) => [test.id, { file, test }] as const)));
}

/** The test that is open: the one that was chosen; else the one that moves, or of a report the first that failed. */
export function openTestId(source: Source, chosen: string | null): string | null {
  if (chosen !== null) return chosen;
  if (source.live) return source.newest.value;
  const all = source.files.value.flatMap(({ tests }) => tests);
  const first =
    all.find(({ state, steps }) => state === 'failed' && steps > 0) ?? all.find(({ steps }) => steps > 0);
  return first?.id ?? null;
}
