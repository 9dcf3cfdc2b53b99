import type { ReportFile, ReportTest } from '../report-data.ts';
import type { Source } from './source.ts';

interface FoundTest {
  file: ReportFile;
  test: ReportTest;
}

export function testsOf({ files }: Source): Map<string, FoundTest> {
  return new Map(files.value.flatMap((file) => file.tests.map((test) => [test.id, { file, test }] as const)));
}

/**
 * Returns the id of the test to show: the selected one; in a live run the one that stepped last; else the first failed
 * one, or the first with steps.
 */
export function openTestId(source: Source, chosen: string | null): string | null {
  if (chosen !== null) return chosen;
  if (source.live) return source.newest.value;
  const all = source.files.value.flatMap(({ tests }) => tests);
  const first =
    all.find(({ state, steps }) => state === 'failed' && steps > 0) ?? all.find(({ steps }) => steps > 0);
  return first?.id ?? null;
}
