import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../../../server/dashboard/page/parts/icons.tsx';
import type { ReportFile, ReportTest, TestState } from '../report-data.ts';
import { hrefOf } from './route.ts';
import type { Source } from './source.ts';

export const STATE_WORDS: Record<TestState, string> = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  running: 'running',
};

/** What happened in worlds of hooks, and of tests side by side that did not say which they are. */
export const OF_NO_TEST = 'Of the file as a whole';

const GROUPS = ['With machines', 'Failed', 'All'] as const;

const sought = signal('');
const group = signal<(typeof GROUPS)[number]>('With machines');
const opened = signal<ReadonlyMap<string, boolean>>(new Map());

/** All tests by their files; of thousands those of the files that are open. */
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
  const few = shown.length <= 6 || sought.value !== '';
  return (
    <nav class="test-list" aria-label="Tests">
      <div class="test-filter">
        <label class="search">
          <Icon name="search" />
          <input
            type="search"
            placeholder="Find a test"
            aria-label="Find a test"
            value={sought.value}
            onInput={({ currentTarget }) => (sought.value = currentTarget.value.toLowerCase())}
          />
        </label>
        <div class="segments" role="group" aria-label="Which tests">
          {GROUPS.map((one) => (
            <button key={one} aria-pressed={group.value === one} onClick={() => (group.value = one)}>
              {one}
            </button>
          ))}
        </div>
        {source.live && (
          <a class="follow" href="#/tests" aria-current={following ? 'true' : undefined}>
            Follow the run
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
        {shown.length === 0 && <p class="quiet-note">No such test.</p>}
      </div>
    </nav>
  );
}

function isShown({ path }: ReportFile, { name, state, steps }: ReportTest): boolean {
  if (group.value === 'Failed' && state !== 'failed') return false;
  if (group.value === 'With machines' && steps === 0 && state !== 'failed') return false;
  return sought.value === '' || `${path} ${name}`.toLowerCase().includes(sought.value);
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
          <pre class="test-error" key={error}>
            {error}
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
        <i class={`led ${LEDS[test.state]}`} title={STATE_WORDS[test.state]} />
        <span class="unseen">{STATE_WORDS[test.state]}: </span>
        <span class="test-name">{test.name.split(' > ').join(' › ') || OF_NO_TEST}</span>
        {test.steps > 0 && <span class="count">{test.steps}</span>}
      </a>
    </li>
  );
}

const LEDS: Record<TestState, string> = { passed: 'good', failed: 'bad', skipped: 'off', running: 'working' };
