import { useMemo, useState, useLayoutEffect, useRef } from 'preact/hooks';
import { TracePanes } from '../../../server/dashboard/page/trace/trace-panes.tsx';
import type { ReportFile, ReportTest, WorldTimeline, TestSource } from '../report-data.ts';
import type { Source } from './source.ts';
import { TestFailure } from './test-failure.tsx';
import { HuntTables } from './hunt-tables.tsx';
import { CopyButton } from '../../../server/dashboard/page/parts/copy-button.tsx';
import { OUTSIDE_TESTS, STATE_LABELS } from './test-list.tsx';
import type { TimelineEntry } from '../../../server/dashboard/view.ts';
import { failedLines, lineAt } from './source-lines.ts';

/** One test: its result, and what happened in its worlds. */
export function TestView({ source, file, test }: { source: Source; file: ReportFile; test: ReportTest }) {
  const timelines = source.timelinesOf(file, test.id).value;
  const [world, chooseWorld] = useState<number>();
  const index = Math.min(world ?? Infinity, (timelines?.length ?? 0) - 1);
  const timeline = timelines?.[index];
  return (
    <article class="story">
      <TestHead file={file} test={test} timelines={timelines} index={index} choose={chooseWorld} />
      <HuntTables hunts={test.hunts} />
      {timeline ? (
        <WorldPanes
          source={source}
          test={test}
          timeline={timeline}
          key={index}
          over={!source.live || test.state !== 'running'}
        />
      ) : (
        <>
          <TestFailure test={test} lines={undefined} />
          {test.hunts.length === 0 && (
            <p class="quiet-note">{timelines ? emptyText(file, test) : 'Loading timeline…'}</p>
          )}
        </>
      )}
    </article>
  );
}

interface WorldPanesProps {
  source: Source;
  test: ReportTest;
  timeline: WorldTimeline;
  over: boolean;
}

function WorldPanes({ source, test, timeline, over }: WorldPanesProps) {
  const content = useMemo(() => {
    const entries = timeline.entries.toSorted((a, b) => a.seq - b.seq);
    return { entries, ...(timeline.before ?? { terminals: [], actions: [] }) };
  }, [timeline]);
  return (
    <>
      {timeline.dropped > 0 && (
        <p class="shortened">
          {timeline.dropped} entries left out. The timeline shows the {timeline.trace ? 'last' : 'first'}{' '}
          {timeline.entries.length}
          {timeline.trace && ', the trace file all of them'}.
        </p>
      )}
      <TracePanes
        content={content}
        machines={source.machines}
        over={over}
        beside={(entry) => (
          <>
            <TestFailure test={test} lines={timeline.source} />
            {timeline.source && <TestLines source={timeline.source} test={test} entry={entry} />}
          </>
        )}
      />
    </>
  );
}

function emptyText({ packet }: ReportFile, { steps }: ReportTest): string {
  if (packet === null && steps > 0)
    return 'The timeline was left out to keep the report within its size limit.';
  return 'This test started no world, or its world has no entries.';
}

interface TestHeadProps {
  file: ReportFile;
  test: ReportTest;
  timelines: readonly WorldTimeline[] | undefined;
  /** Index of the world shown. */
  index: number;
  choose: (world: number) => void;
}

function TestHead({ file, test, timelines = [], index, choose }: TestHeadProps) {
  const names = test.name.split(' > ');
  const retried = timelines.some(({ attempt }) => attempt > 0);
  return (
    <header class="test-head">
      <p class="test-place mono clip">
        {[file.project, file.path, ...names.slice(0, -1)].filter(Boolean).join(' › ')}
      </p>
      <h1>{names.at(-1) || OUTSIDE_TESTS}</h1>
      <p class="test-facts">
        <span class={`pill ${TONES[test.state]}`}>{STATE_LABELS[test.state]}</span>
        {test.state !== 'running' && <span>{test.durationMs} ms</span>}
        <span>
          {test.steps} {test.steps === 1 ? 'step' : 'steps'}
        </span>
      </p>
      {test.traces.map(({ path, href, problem }) => (
        <p class="test-trace" key={path}>
          Trace: <a href={href}>{path}</a>
          <CopyButton text={`npx tapbench trace ${path} --open`} what="command that opens the trace" />
          {problem !== null && <span class="bad-words">{problem}</span>}
        </p>
      ))}
      {timelines.length > 1 && (
        <div class="segments worlds" role="group" aria-label="World">
          {timelines.map(({ attempt }, world) => (
            <button key={world} aria-pressed={world === index} onClick={() => choose(world)}>
              World {world + 1}
              {retried && ` · attempt ${attempt + 1}`}
            </button>
          ))}
        </div>
      )}
    </header>
  );
}

const TONES = { passed: 'good', failed: 'bad', skipped: '', running: 'live' } as const;

interface TestLinesProps {
  source: TestSource;
  test: ReportTest;
  entry: TimelineEntry | undefined;
}

/** The lines of the test, with the one that ran at the moment that is shown, and those that failed. */
function TestLines({ source, test, entry }: TestLinesProps) {
  const box = useRef<HTMLPreElement>(null);
  const current = lineAt(source.calls, entry?.realMs);
  const failed = failedLines(source, test.errors);
  useLayoutEffect(() => {
    const line = box.current?.querySelector<HTMLElement>('[aria-current]');
    if (line) box.current!.scrollTop = line.offsetTop - (box.current!.clientHeight - line.offsetHeight) / 2;
  }, [current]);
  return (
    <section class="test-lines" aria-label="Lines of the test">
      <p class="test-lines-place mono">
        {source.file}
        {current !== undefined && `:${current}`}
      </p>
      <pre class="source" tabIndex={0} aria-label={`Source of ${source.file}`} ref={box}>
        {source.lines.map((text, index) => {
          const line = source.firstLine + index;
          return (
            <span
              key={line}
              class={`${line === current ? 'current-line' : ''} ${failed.has(line) ? 'failed-line' : ''}`}
              aria-current={line === current ? 'true' : undefined}
            >
              {`${String(line).padStart(4)}  ${text}`}
            </span>
          );
        })}
      </pre>
    </section>
  );
}
