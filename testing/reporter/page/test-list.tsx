import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../../server/dashboard/page/parts/icons.tsx';
import type { ReportFile, ReportTest, TestState } from '../report-data.ts';
import { hrefOf } from './route.ts';
import type { Source } from './source.ts';

export const STATE_LABELS: Record<TestState, string> = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  running: 'running',
};

/** Label of entries outside tests: those of hooks, and of concurrent tests. */
export const OUTSIDE_TESTS = 'Outside tests';

const GROUPS = ['With steps', 'Failed', 'All'] as const;

const searchText = signal('');
const group = signal<(typeof GROUPS)[number]>('With steps');
const opened = signal<ReadonlyMap<string, boolean>>(new Map());

/** The tests by file. Files are collapsed when there are many. */
export function TestList({
  source,
  open,
  following,
}: {
  source: Source;
  open: string | null;
  following: boolean;
}) {
  const shown = source.files.value
    .map((file) => ({ file, tests: file.tests.filter((test) => isShown(file, test)) }))
    .filter(({ file, tests }) => tests.length > 0 || file.errors.length > 0);
  const few = shown.length <= 6 || searchText.value !== '';
  return (
    <nav class="test-list" aria-label="Tests">
      <div class="test-filter">
        <label class="search">
          <Icon name="search" />
          <input
            type="search"
            placeholder="Search tests"
            aria-label="Search tests"
            value={searchText.value}
            onInput={({ currentTarget }) => (searchText.value = currentTarget.value.toLowerCase())}
          />
        </label>
        <div class="segments" role="group" aria-label="Show tests">
          {GROUPS.map((one) => (
            <button key={one} aria-pressed={group.value === one} onClick={() => (group.value = one)}>
              {one}
            </button>
          ))}
        </div>
        {source.live && (
          <a class="follow" href="#/tests" aria-current={following ? 'true' : undefined}>
            Follow run
          </a>
        )}
      </div>
      <div class="files">
        {shown.map(({ file, tests }) => (
          <FileGroup
            key={keyOf(file)}
            file={file}
            tests={tests}
            current={open}
            open={
              opened.value.get(keyOf(file)) ??
              (few || tests.some(({ id, state }) => id === open || state === 'failed'))
            }
          />
        ))}
        {shown.length === 0 && <p class="quiet-note">No tests match this filter.</p>}
      </div>
    </nav>
  );
}

function isShown({ path }: ReportFile, { name, state, steps, hunts }: ReportTest): boolean {
  const isEmpty = steps === 0 && hunts.length === 0;
  if (group.value === 'Failed' && state !== 'failed') return false;
  if (group.value === 'With steps' && isEmpty && state !== 'failed') return false;
  return searchText.value === '' || `${path} ${name}`.toLowerCase().includes(searchText.value);
}

function keyOf({ project, path }: ReportFile): string {
  return `${project} ${path}`;
}

interface FileGroupProps {
  file: ReportFile;
  tests: readonly ReportTest[];
  current: string | null;
  open: boolean;
}

function FileGroup({ file, tests, current, open }: FileGroupProps) {
  const failed = tests.filter(({ state }) => state === 'failed').length + file.errors.length;
  const toggle = () => (opened.value = new Map([...opened.value, [keyOf(file), !open]]));
  return (
    <section class="file">
      <button class="file-head" aria-expanded={open} onClick={toggle}>
        <Icon name="chevron" size={12} />
        <span class="mono clip" title={file.path}>
          {file.path}
        </span>
        {failed > 0 && <span class="pill bad">{failed} failed</span>}
        <span class="count">{tests.length}</span>
      </button>
      {open &&
        file.errors.map((error) => (
          <pre class="test-error" key={error.message}>
            {error.message}
          </pre>
        ))}
      {open && (
        <ul>
          {tests.map((test) => (
            <TestRow key={test.id} test={test} current={test.id === current} />
          ))}
        </ul>
      )}
    </section>
  );
}

function TestRow({ test, current }: { test: ReportTest; current: boolean }) {
  const row = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (current) row.current?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <li>
      <a
        ref={row}
        class={`test ${test.state}`}
        href={hrefOf({ view: 'test', id: test.id })}
        aria-current={current ? 'true' : undefined}
      >
        <i class={`led ${LEDS[test.state]}`} title={STATE_LABELS[test.state]} />
        <span class="unseen">{STATE_LABELS[test.state]}: </span>
        <span class="test-name">{test.name.split(' > ').join(' › ') || OUTSIDE_TESTS}</span>
        {test.steps > 0 && <span class="count">{test.steps}</span>}
      </a>
    </li>
  );
}

const LEDS: Record<TestState, string> = { passed: 'good', failed: 'bad', skipped: 'off', running: 'working' };
