import { CoverageView } from './coverage-view.tsx';
import { route } from './route.ts';
import { ReportBar } from './report-bar.tsx';
import type { Source } from './source.ts';
import { TestView } from './test-view.tsx';
import { TestList } from './test-list.tsx';
import type { ReportFile, ReportTest } from '../report-data.ts';

/** The whole page: the top bar, and below it the tests or the coverage. */
export function App({ source }: { source: Source }) {
  const here = route.value;
  return (
    <>
      <ReportBar source={source} />
      <main id="view" tabIndex={-1}>
        {here.view === 'coverage' ? (
          <CoverageView source={source} machineId={here.machineId} />
        ) : (
          <Tests source={source} chosen={here.id} />
        )}
      </main>
    </>
  );
}

function Tests({ source, chosen }: { source: Source; chosen: string | null }) {
  const open = openTestId(source, chosen);
  const found = open === null ? undefined : testsOf(source).get(open);
  return (
    <div class="tests-view">
      <TestList source={source} open={open} following={chosen === null} />
      {found ? (
        <TestView source={source} file={found.file} test={found.test} key={found.test.id} />
      ) : (
        <p class="quiet-note">
          {source.live ? 'Waiting for the first test…' : 'No test of this run started a world.'}
        </p>
      )}
    </div>
  );
}

interface FoundTest {
  file: ReportFile;
  test: ReportTest;
}

function testsOf({ files }: Source): Map<string, FoundTest> {
  return new Map(files.value.flatMap((file) => file.tests.map((test) => [test.id, { file, test }] as const)));
}

/**
 * Returns the id of the test to show: the selected one; in a live run the one that stepped last; else the first failed
 * one, or the first with steps.
 */
function openTestId(source: Source, chosen: string | null): string | null {
  if (chosen !== null) return chosen;
  if (source.live) return source.newest.value;
  const all = source.files.value.flatMap(({ tests }) => tests);
  const first =
    all.find(({ state, steps }) => state === 'failed' && steps > 0) ?? all.find(({ steps }) => steps > 0);
  return first?.id ?? null;
}
