import { useLayoutEffect, useState } from 'preact/hooks';
import { useDashboard } from '../../../../server/dashboard/page/dashboard.ts';
import { setSandboxTime } from '../../../../server/dashboard/page/time.ts';
import { MachinePanes } from '../../../../server/dashboard/page/timeline/machine-panes.tsx';
import type { MachineShape, TimelineEntry } from '../../../../server/dashboard/view.ts';
import type { ReportFile, ReportTest, WorldTimeline } from '../report-data.ts';
import type { Source } from './source.ts';
import { SubjectSelect } from './subject-select.tsx';
import { entriesOfSubject, subjectsOf } from './subjects.ts';
import { TestHead } from './test-head.tsx';

/** One test: its result, the charts of its machines and its timeline. */
export function TestView({ source, file, test }: { source: Source; file: ReportFile; test: ReportTest }) {
  const timelines = source.timelinesOf(file, test.id).value;
  const [world, chooseWorld] = useState<number>();
  const index = Math.min(world ?? Infinity, (timelines?.length ?? 0) - 1);
  const timeline = timelines?.[index];
  return (
    <article class="story">
      <TestHead file={file} test={test} timelines={timelines} index={index} choose={chooseWorld} />
      {timeline ? (
        <Panes
          source={source}
          timeline={timeline}
          key={index}
          over={!source.live || test.state !== 'running'}
        />
      ) : (
        <p class="quiet-note">{timelines ? emptyText(file, test) : 'Loading timeline…'}</p>
      )}
    </article>
  );
}

function Panes({ source, timeline, over }: { source: Source; timeline: WorldTimeline; over: boolean }) {
  const { state } = useDashboard();
  const [subject, choose] = useState<string | null>(null);
  const subjects = subjectsOf(timeline.entries);
  const entries = subject === null ? timeline.entries : entriesOfSubject(timeline.entries, subject);
  useLayoutEffect(() => {
    const watched = { kind: 'object' as const, id: subject ?? '' };
    if (state.watched.subject.peek()?.id !== watched.id) state.watched.watch(watched);
    const inOrder: TimelineEntry[] = [...entries].sort((a, b) => a.seq - b.seq);
    const machine = firstMachine(source, inOrder);
    // Shows the virtual time of the last entry.
    setSandboxTime({ nowMs: timeline.entries.at(-1)!.atMs, offsetMs: 0 });
    state.apply([{ type: 'timeline', subject: watched, machine, entries: inOrder }]);
  }, [timeline.entries.length, subject]);
  return (
    <>
      {subjects.length > 1 && <SubjectSelect subjects={subjects} subject={subject} choose={choose} />}
      {timeline.dropped > 0 && (
        <p class="shortened">
          {timeline.dropped} entries left out. The timeline shows the first {timeline.entries.length}.
        </p>
      )}
      {(subjects.length === 1 || subject !== null) && <PathText source={source} entries={entries} />}
      <MachinePanes key={subject} actionId={null} now={{ state: null, deadlineMs: null }} over={over} />
    </>
  );
}

/** The path of the machine as text, so that a search in the page finds it. */
function PathText({ source, entries }: { source: Source; entries: readonly TimelineEntry[] }) {
  const machineId = firstMachine(source, entries)?.machineId;
  const states = entries.flatMap(({ step }) => (step && step.machineId === machineId ? [step.state] : []));
  if (states.length === 0) return null;
  return (
    <p class="path mono" title={states.join(' → ')}>
      {states.join(' → ')}
    </p>
  );
}

/** Returns the first machine with steps; machines of terminals come before those of the server. */
function firstMachine({ machines }: Source, entries: readonly TimelineEntry[]): MachineShape | null {
  const stepped = new Set(entries.map(({ step }) => step?.machineId));
  return machines.peek().find(({ shape }) => stepped.has(shape.machineId))?.shape ?? null;
}

function emptyText({ packet }: ReportFile, { steps }: ReportTest): string {
  if (packet === null && steps > 0)
    return 'The timeline was left out to keep the report within its size limit.';
  return 'This test started no world, or its world has no entries.';
}
