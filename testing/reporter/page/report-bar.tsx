import { ThemeButton } from '../../../server/dashboard/page/theme.tsx';
import { formatDuration } from '../../../server/dashboard/page/format.ts';
import { hrefOf, route } from './route.ts';
import type { Source } from './source.ts';

const OUTCOMES = {
  passed: { label: 'passed', tone: 'good' },
  failed: { label: 'failed', tone: 'bad' },
  interrupted: { label: 'interrupted', tone: 'warn' },
  running: { label: 'running', tone: 'live' },
} as const;

export function ReportBar({ source }: { source: Source }) {
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
