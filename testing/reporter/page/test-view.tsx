import { useMemo, useState } from 'preact/hooks';
import { TracePanes } from '../../../server/dashboard/page/trace/trace-panes.tsx';
import type { ReportFile, ReportTest, WorldTimeline } from '../report-data.ts';
import type { Source } from './source.ts';
import { TestFailure } from './test-failure.tsx';
import { TestHead } from './test-head.tsx';
import { TestLines } from './test-lines.tsx';

/** One test: its result, and what happened in its worlds. */
export function TestView({ source, file, test }: { source: Source; file: ReportFile; test: ReportTest }) {
  const timelines = source.timelinesOf(file, test.id).value;
  const [world, chooseWorld] = useState<number>();
  const index = Math.min(world ?? Infinity, (timelines?.length ?? 0) - 1);
  const timeline = timelines?.[index];
  return (
    <article class="story">
      <TestHead file={file} test={test} timelines={timelines} index={index} choose={chooseWorld} />
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
          <p class="quiet-note">{timelines ? emptyText(file, test) : 'Loading timeline…'}</p>
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
