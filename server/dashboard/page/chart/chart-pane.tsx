import { ChartCanvas } from './chart-canvas.tsx';
import { ChartHead, type ChartPaneProps } from './chart-head.tsx';
import { useMachineLayout } from './machine-layouts.ts';
import { machineLabel } from './machine-label.ts';

/** The chart of a machine with the transitions it took, under a head with its current state. */
export function ChartPane(props: ChartPaneProps) {
  const { machineId, steps, live, now } = props;
  const layout = useMachineLayout(machineId);
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
        <p class="quiet-note">{machineId ? 'Loading chart…' : 'No steps yet.'}</p>
      )}
    </section>
  );
}

function chartLabel({ machineId, steps }: ChartPaneProps, active: string | null): string {
  const taken = steps.map(({ step }) => step.state).join(', then ');
  return `Chart of the machine ${machineLabel(machineId ?? '')}${active ? `, in ${active}` : ''}${taken ? `. Path: ${taken}` : ''}`;
}
