import { useEffect, useMemo, useState } from 'preact/hooks';
import { ChartPane } from '../chart/chart-pane.tsx';
import { useDashboard } from '../dashboard.ts';
import { entriesOf, machinesOf, stepFrom, stepsOf } from './steps.ts';
import { TimelinePane } from './timeline-pane.tsx';
import type { MachineState } from '../chart/chart-head.tsx';

export type Pane = 'chart' | 'timeline';

interface MachinePanesProps {
  /** The action whose entries are shown; null for all entries of the subject. */
  actionId: string | null;
  /** The current state of the subject, as far as it is known apart from its steps. */
  now: MachineState;
  over: boolean;
  /** Called with the number of the entry that is shown, null for the present, whenever that changes. */
  onShow?: (shown: number | null) => void;
}

/** The chart of a machine beside its timeline. Both show the same moment, and the user can step through them. */
export function MachinePanes({ actionId, now, over, onShow }: MachinePanesProps) {
  const { state } = useDashboard();
  const timeline = state.watched.timeline.value;
  const entries = useMemo(() => entriesOf(timeline?.entries ?? [], actionId), [timeline?.entries, actionId]);
  const [shown, show] = useState<number | null>(null);
  const [chosen, choose] = useState<string>();
  useEffect(() => show(null), [actionId]);
  useEffect(() => onShow?.(shown), [shown]);

  const own = timeline?.machine?.machineId;
  const machines = [...new Set([...(own ? [own] : []), ...machinesOf(entries)])];
  const machineId = (chosen && machines.includes(chosen) ? chosen : machines[0]) ?? null;
  const steps = stepsOf(entries, machineId);
  const step = (by: -1 | 1) => show(stepFrom(steps, shown, by));

  return (
    <div class="machine-panes">
      <ChartPane
        machineId={machineId}
        machines={machines}
        choose={choose}
        steps={stepsOf(entries, machineId, shown)}
        stepCount={steps.length}
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
        loading={timeline === null}
        machineId={machineId}
      />
    </div>
  );
}
