import { CoverageView } from './coverage-view.tsx';
import { route, hrefOf } from './route.ts';
import type { Source } from './source.ts';
import { TestView } from './test-view.tsx';
import { TestList } from './test-list.tsx';
import type { ReportFile, ReportTest } from '../report-data.ts';
import { ThemeButton } from '../../../server/dashboard/page/theme.tsx';
import { formatDuration } from '../../../server/dashboard/page/format.ts';

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
 * one of those with steps or a hunt, or the first of them.
 */
function openTestId(source: Source, chosen: string | null): string | null {
  if (chosen !== null) return chosen;
  if (source.live) return source.newest.value;
  const all = source.files.value.flatMap(({ tests }) => tests);
  const filled = all.filter(({ steps, hunts }) => steps > 0 || hunts.length > 0);
  const first = filled.find(({ state }) => state === 'failed') ?? filled[0];
  return first?.id ?? null;
}

const OUTCOMES = {
  passed: { label: 'passed', tone: 'good' },
  failed: { label: 'failed', tone: 'bad' },
  interrupted: { label: 'interrupted', tone: 'warn' },
  running: { label: 'running', tone: 'live' },
} as const;

function ReportBar({ source }: { source: Source }) {
  const { outcome, durationMs, report, leftOut } = source.run.value;
  const tests = source.files.value.flatMap((file) => file.tests).filter(({ name }) => name !== '');
  const failed = tests.filter(({ state }) => state === 'failed').length;
  const { label, tone } = OUTCOMES[outcome];
  const { view } = route.value;
  const shortened = (leftOut?.withoutDetails ?? 0) + (leftOut?.withoutTimeline ?? 0);
  return (
    <header class="top-bar">
      <span class="brand">Tapbench</span>
      <nav aria-label="Views">
        <a href={hrefOf({ view: 'test', id: null })} aria-current={view === 'test' ? 'page' : undefined}>
          Tests
        </a>
        {!source.live && (
          <a
            href={hrefOf({ view: 'coverage', machineId: null })}
            aria-current={view === 'coverage' ? 'page' : undefined}
          >
            Coverage
          </a>
        )}
      </nav>
      <div class="spacer" />
      {shortened > 0 && leftOut && (
        <span class="pill warn" title={shortenedText(leftOut.withoutDetails, leftOut.withoutTimeline)}>
          shortened to {Math.round(leftOut.limitBytes / 1_000_000)} MB
        </span>
      )}
      {report !== null && <span class="report-path mono clip">{report}</span>}
      <span class={`pill ${tone}`}>{label}</span>
      <span class="run-facts">
        {tests.length} {tests.length === 1 ? 'test' : 'tests'}
        {failed > 0 && `, ${failed} failed`}
        {durationMs !== null && `, ${formatDuration(durationMs)}`}
      </span>
      <ThemeButton />
    </header>
  );
}

function shortenedText(withoutDetails: number, withoutTimeline: number): string {
  return [
    withoutDetails > 0 && `${withoutDetails} test files without details of entries`,
    withoutTimeline > 0 && `${withoutTimeline} without timelines`,
  ]
    .filter(Boolean)
    .join('; ');
}
