import { useLayoutEffect, useState } from 'preact/hooks';
import { useDashboard } from '../../../../server/dashboard/page/dashboard.ts';
import { setSandboxTime } from '../../../../server/dashboard/page/time.ts';
import { MachinePanes } from '../../../../server/dashboard/page/timeline/machine-panes.tsx';
import type { MachineShape, TimelineEntry } from '../../../../server/dashboard/view.ts';
import type { ReportFile, ReportTest, WorldTimeline } from '../report-data.ts';
import type { Source } from './source.ts';
import { SubjectChoice } from './subject-choice.tsx';
import { concerning, subjectsOf } from './subjects.ts';
import { TestHead } from './test-head.tsx';

/** One test: what it was, how it went, the charts of its machines with the way they took, and its timeline. */
export function TestView({ source, file, test }: { source: Source; file: ReportFile; test: ReportTest }) {
  const timelines = source.timelinesOf(file, test.id).value;
  const [world, chooseWorld] = useState<number>();
  const at = Math.min(world ?? Infinity, (timelines?.length ?? 0) - 1);
  const timeline = timelines?.[at];
  return (
    <article class="story">
      <TestHead file={file} test={test} timelines={timelines} at={at} choose={chooseWorld} />
      {timeline ? (
        <Panes source={source} timeline={timeline} key={at} over={!source.live || test.state !== 'running'} />
      ) : (
        <p class="quiet-note">{timelines ? whyEmpty(file, test) : 'Unpacking…'}</p>
      )}
    </article>
  );
}

function Panes({ source, timeline, over }: { source: Source; timeline: WorldTimeline; over: boolean }) {
  const { state } = useDashboard();
  const [subject, choose] = useState<string | null>(null);
  const subjects = subjectsOf(timeline.entries);
  const entries = subject === null ? timeline.entries : concerning(timeline.entries, subject);
  useLayoutEffect(() => {
    const watched = { kind: 'object' as const, id: subject ?? '' };
    if (state.watched.subject.peek()?.id !== watched.id) state.watched.watch(watched);
    const inOrder: TimelineEntry[] = [...entries].sort((a, b) => a.seq - b.seq);
    const machine = firstMachine(source, inOrder);
    // The time of the world stands still between its entries.
    setSandboxTime({ nowMs: timeline.entries.at(-1)!.atMs, offsetMs: 0 });
    state.apply([{ type: 'timeline', subject: watched, machine, entries: inOrder }]);
  }, [timeline.entries.length, subject]);
  return (
    <>
      {subjects.length > 1 && <SubjectChoice subjects={subjects} subject={subject} choose={choose} />}
      {timeline.dropped > 0 && (
        <p class="shortened">
          {timeline.dropped} more entries were left out: a world is told up to its first{' '}
          {timeline.entries.length}.
        </p>
      )}
      {(subjects.length === 1 || subject !== null) && <PathWords source={source} entries={entries} />}
      <MachinePanes key={subject} actionId={null} now={{ state: null, deadlineMs: null }} over={over} />
    </>
  );
}

/** The way in words, to be read at a glance and found by a search. */
function PathWords({ source, entries }: { source: Source; entries: readonly TimelineEntry[] }) {
  const machineId = firstMachine(source, entries)?.machineId;
  const states = entries.flatMap(({ step }) => (step && step.machineId === machineId ? [step.state] : []));
  if (states.length === 0) return null;
  return (
    <p class="path mono" title={states.join(' → ')}>
      {states.join(' → ')}
    </p>
  );
}

/** That of a terminal comes before those of the server, whoever began. */
function firstMachine({ machines }: Source, entries: readonly TimelineEntry[]): MachineShape | null {
  const stepped = new Set(entries.map(({ step }) => step?.machineId));
  return machines.peek().find(({ shape }) => stepped.has(shape.machineId))?.shape ?? null;
}

function whyEmpty({ packet }: ReportFile, { steps }: ReportTest): string {
  if (packet === null && steps > 0)
    return 'Its timeline was left out, so that the report stays within its size.';
  return 'Nothing happened in a world of this test, or it started none.';
}
