import type { StepEntry } from '../timeline/stepping.ts';
import { ChartCanvas } from './chart-canvas.tsx';
import { ChartHead } from './chart-head.tsx';
import { useLayoutOf } from './layouts.ts';
import { machineWords } from './machine-words.ts';

/** How a machine stands, as it is told apart from its steps. */
export interface Standing {
  state: string | null;
  deadlineMs: number | null;
}

export interface ChartPaneProps {
  machineId: string | null;
  /** The machines that can be looked at. */
  machines: readonly string[];
  choose: (machineId: string) => void;
  /** Up to the moment that is shown. */
  steps: readonly StepEntry[];
  /** Of all of its steps. */
  stepCount: number;
  live: boolean;
  now: Standing | undefined;
  over: boolean;
  step: (by: -1 | 1) => void;
  goLive: () => void;
}

/** The chart of a machine with the way it took, and above it where it stands. */
export function ChartPane(props: ChartPaneProps) {
  const { machineId, steps, live, now } = props;
  const layout = useLayoutOf(machineId);
  const active = steps.at(-1)?.step.state ?? (live ? (now?.state ?? null) : null);
  return (
    <section class="chart-pane" aria-label="State chart">
      <ChartHead {...props} active={active} />
      {layout ? (
        <ChartCanvas
          layout={layout}
          steps={steps}
          active={active}
          key={layout.machineId}
          label={chartLabel(props, active)}
        />
      ) : (
        <p class="quiet-note">
          {machineId ? 'Asking for the chart…' : 'Its machine is drawn once it has taken a step.'}
        </p>
      )}
    </section>
  );
}

function chartLabel({ machineId, steps }: ChartPaneProps, active: string | null): string {
  const taken = steps.map(({ step }) => step.state).join(', then ');
  return `Chart of the machine ${machineWords(machineId ?? '')}${active ? `, in ${active}` : ''}${taken ? `. Path: ${taken}` : ''}`;
}
