import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { DrawnMachine } from '../../chart/chart.ts';
import type { TimelineEntry } from '../../view.ts';
import { DashboardProvider } from '../dashboard.ts';
import { PaneSwitch, ShownPanes, type Pane } from '../timeline/machine-panes.tsx';
import { setSandboxTime } from '../time.ts';
import { rowTimes } from '../timeline/timeline-row.tsx';
import { machinesOf } from '../timeline/steps.ts';
import { indexOfShown, shownAt, timelineAt, PositionStrip } from './position-strip.tsx';
import { RecordedDevice, recordedTerminals } from './recorded-device.tsx';
import { staticDashboard } from './static-dashboard.ts';
import { TimelineSelect, entriesOfTimeline, timelinesIn } from './timeline-select.tsx';
import type { RecordedContent } from './trace-content.ts';

// Elements that take these keys themselves; a `pre` scrolls by them.
const TAKES_KEYS = 'input, select, textarea, pre, [contenteditable]';

/** Moves through a recording with the arrow keys, Home and End, wherever the focus is but in a field. */
function usePositionKeys({
  by,
  toStart,
  toEnd,
}: {
  by: (count: number) => void;
  toStart: () => void;
  toEnd: () => void;
}): void {
  // Before the next key: it moves from the position that is shown.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if ((event.target as Element).closest(TAKES_KEYS)) return;
      if (event.key === 'ArrowLeft') by(-1);
      else if (event.key === 'ArrowRight') by(1);
      else if (event.key === 'Home') toStart();
      else if (event.key === 'End') toEnd();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

interface TracePanesProps {
  content: RecordedContent;
  /** In the order in which the chart prefers them. */
  machines: ReadonlySignal<readonly DrawnMachine[]>;
  /** Whether nothing will be added. */
  over: boolean;
  /** Draws what else is known of the moment of an entry, beside the plans of faults. */
  beside?: (entry: TimelineEntry | undefined) => ComponentChildren;
}

const UNKNOWN = { state: null, deadlineMs: null };

/** A recording: device, chart and timeline, which all show the same moment. */
export function TracePanes({ content, machines, over, beside }: TracePanesProps) {
  const [shown, show] = useState<number | null>(null);
  const [chosen, choose] = useState<string | null>(null);
  const [pane, setPane] = useState<'device' | Pane>('timeline');
  const recorded = useMemo(() => recordedTerminals(content), [content]);
  const { receipts } = recorded;
  const dashboard = useMemo(() => staticDashboard({ machines, receipts, over }), [machines, receipts, over]);
  const all = content.entries;
  const timelines = useMemo(() => timelinesIn(all), [all]);
  const entries = useMemo(() => (chosen === null ? all : entriesOfTimeline(all, chosen)), [all, chosen]);
  const timeOf = useMemo(() => rowTimes(entries), [entries]);
  const at = indexOfShown(entries, shown);
  const timeline = chosen ?? timelineAt(entries, at, timelines);
  const stepped = useMemo(
    () => (timeline === null ? all : entriesOfTimeline(all, timeline)),
    [all, timeline],
  );
  const stepping = new Set(machinesOf(stepped));
  const own = machines.value.find(({ shape }) => stepping.has(shape.machineId))?.shape.machineId;
  const entry = entries[at];
  const atMs = entry?.atMs ?? 0;
  // Deadlines count down in the time of the moment.
  useLayoutEffect(() => setSandboxTime({ nowMs: atMs, offsetMs: 0 }), [atMs]);
  usePositionKeys({
    // Keys may come faster than the page is drawn.
    by: (count) => show((now) => shownAt(entries, indexOfShown(entries, now) + count)),
    toStart: () => show(shownAt(entries, 0)),
    toEnd: () => show(null),
  });
  const chooseTimeline = (id: string | null) => {
    choose(id);
    show(null);
  };
  return (
    <DashboardProvider value={dashboard}>
      <div class="trace">
        {timelines.length > 1 && (
          <TimelineSelect timelines={timelines} timeline={chosen} choose={chooseTimeline} />
        )}
        <PositionStrip entries={entries} shown={shown} show={show} timeOf={timeOf} />
        <div class="beside">
          {beside?.(entry)}
          <PlannedFaults entries={all} />
        </div>
        <div class="terminal-view" data-pane={pane}>
          <PaneSwitch pane={pane} choose={setPane} />
          {entry && <RecordedDevice recorded={recorded} entries={all} timeline={timeline} entry={entry} />}
          <ShownPanes
            entries={entries}
            stepped={stepped}
            own={own}
            now={UNKNOWN}
            over={over}
            shown={shown}
            show={show}
            timeOf={timeOf}
          />
        </div>
      </div>
    </DashboardProvider>
  );
}

/** The plans of faults that were active during a recording, in words, and how often each struck. */
function PlannedFaults({ entries }: { entries: readonly TimelineEntry[] }) {
  const plans = entries.flatMap(({ plan }) => plan ?? []);
  if (plans.length === 0) return null;
  return (
    <section class="planned-faults" aria-label="Faults" tabIndex={0}>
      {plans.map(({ planId, title, faults }) => {
        const strikes = entries.filter(({ fault }) => fault?.planId === planId).length;
        return (
          <div key={planId}>
            <h2>
              Faults{title !== '' && `: ${title}`}
              <span class="quiet"> · {struckText(strikes)}</span>
            </h2>
            <ol>
              {faults.map((words, index) => (
                <li key={index}>{words}</li>
              ))}
            </ol>
          </div>
        );
      })}
    </section>
  );
}

function struckText(strikes: number): string {
  if (strikes === 0) return 'nothing was struck';
  return strikes === 1 ? 'struck once' : `struck ${strikes} times`;
}
