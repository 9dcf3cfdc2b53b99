import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { ChartPane, type MachineState } from '../chart/chart-pane.tsx';
import { useDashboard } from '../dashboard.ts';
import { rowTimes, type RowTime } from './timeline-row.tsx';
import { entriesOf, machinesOf, stepFrom, stepsOf, struckStates } from './steps.ts';
import { TimelinePane } from './timeline-pane.tsx';
import type { TimelineEntry } from '../../view.ts';

export type Pane = 'chart' | 'timeline';

interface MachinePanesProps {
  /** The action whose entries are shown; null for all entries of the target. */
  actionId: string | null;
  /** The current state of the target, as far as it is known apart from its steps. */
  now: MachineState;
  over: boolean;
  /** Called with the number of the entry that is shown, null for the present, whenever that changes. */
  onShow?: (shown: number | null) => void;
}

/** The entry of an action that is shown; null for the present. */
interface Moment {
  actionId: string | null;
  shown: number | null;
}

/** The chart of a machine beside its timeline. Both show the same moment, and the user can step through them. */
export function MachinePanes({ actionId, now, over, onShow }: MachinePanesProps) {
  const { state } = useDashboard();
  const timeline = state.watched.timeline.value;
  const entries = useMemo(() => entriesOf(timeline?.entries ?? [], actionId), [timeline?.entries, actionId]);
  const timeOf = useMemo(() => rowTimes(entries), [entries]);
  const [moment, setMoment] = useState<Moment>({ actionId, shown: null });
  // Another action begins with its present.
  const shown = moment.actionId === actionId ? moment.shown : null;
  const show = (to: number | null) => setMoment({ actionId, shown: to });
  // Before the page is drawn: the device shows the moment of the chart.
  useLayoutEffect(() => onShow?.(shown), [shown]);

  return (
    <ShownPanes
      entries={entries}
      stepped={entries}
      own={timeline?.machine?.machineId}
      loading={timeline === null}
      now={now}
      over={over}
      shown={shown}
      show={show}
      timeOf={timeOf}
    />
  );
}

interface ShownPanesProps extends Pick<MachinePanesProps, 'now' | 'over'> {
  /** The entries of the timeline. */
  entries: readonly TimelineEntry[];
  /** The entries whose steps the chart shows. */
  stepped: readonly TimelineEntry[];
  /** The machine whose state `now` is, which the chart shows first. */
  own: string | undefined;
  loading?: boolean;
  /** Number of the entry that is shown; null for the present. */
  shown: number | null;
  show: (shown: number | null) => void;
  timeOf: (entry: TimelineEntry) => RowTime;
}

/** The chart of a machine beside a timeline, at a moment that the parent knows. */
export function ShownPanes(props: ShownPanesProps) {
  const { entries, stepped, own, loading = false, now, over, shown, show, timeOf } = props;
  const [chosen, choose] = useState<string>();
  const machines = useMemo(
    () => [...new Set([...(own ? [own] : []), ...machinesOf(stepped)])],
    [stepped, own],
  );
  const machineId = (chosen && machines.includes(chosen) ? chosen : machines[0]) ?? null;
  const steps = useMemo(() => stepsOf(stepped, machineId), [stepped, machineId]);
  const until = <Entry extends TimelineEntry>(all: readonly Entry[]) =>
    shown === null ? all : all.filter(({ seq }) => seq <= shown);
  const struck = useMemo(() => struckStates(until(stepped), steps), [stepped, steps, shown]);
  const step = (by: -1 | 1) => show(stepFrom(steps, shown, by));

  return (
    <div class="machine-panes">
      <ChartPane
        machineId={machineId}
        machines={machines}
        choose={choose}
        steps={until(steps)}
        allSteps={steps}
        struck={struck}
        live={shown === null}
        now={machineId === own ? now : undefined}
        over={over}
        step={step}
        goLive={() => show(null)}
      />
      <TimelinePane
        entries={entries}
        shown={shown}
        show={show}
        step={step}
        loading={loading}
        machineId={machineId}
        timeOf={timeOf}
      />
    </div>
  );
}

const PANES: { id: 'device' | Pane; label: string }[] = [
  { id: 'device', label: 'Device' },
  { id: 'chart', label: 'Chart' },
  { id: 'timeline', label: 'Timeline' },
];

interface PaneSwitchProps {
  /** Name of the page for screen readers, where its heading is in the pane of the device. */
  title?: string;
  pane: 'device' | Pane;
  choose: (pane: 'device' | Pane) => void;
}

/** Selects the pane to show where there is room for one only. */
export function PaneSwitch({ title, pane, choose }: PaneSwitchProps) {
  return (
    <div class="segments panes" role="group" aria-label="Show">
      {title && pane !== 'device' && <h1 class="unseen">{title}</h1>}
      {PANES.map(({ id, label }) => (
        <button key={id} aria-pressed={pane === id} onClick={() => choose(id)}>
          {label}
        </button>
      ))}
    </div>
  );
}
