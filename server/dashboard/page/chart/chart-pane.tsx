import { useMemo } from 'preact/hooks';
import { ChartCanvas } from './chart-canvas.tsx';
import { ChartHead, type ChartPaneProps } from './chart-head.tsx';
import { undescribedLayout, useMachineLayout } from './machine-layouts.ts';
import { machineLabel } from './machine-label.ts';

/** The chart of a machine with the transitions it took, under a head with its current state. */
export function ChartPane(props: ChartPaneProps) {
  const { machineId, allSteps, steps, live, now, struck } = props;
  const { layout: described, isMissing } = useMachineLayout(machineId);
  // Without its machine the steps of an action still show its path.
  const fromSteps = isMissing && machineId !== null && allSteps.length > 0;
  const undescribed = useMemo(
    () => (fromSteps ? undescribedLayout(machineId) : undefined),
    [fromSteps, machineId],
  );
  const layout = described ?? undescribed;
  const active = steps.at(-1)?.step.state ?? (live ? (now?.state ?? null) : null);
  return (
    <section class="chart-pane" aria-label="State chart">
      <ChartHead {...props} active={active} />
      {layout ? (
        <ChartCanvas
          layout={layout}
          allSteps={allSteps}
          steps={steps}
          active={active}
          struck={struck}
          key={`${layout.machineId} ${undescribed !== undefined}`}
          isDescribed={undescribed === undefined}
          label={chartLabel(props, active)}
        />
      ) : (
        <p class="quiet-note">{noChartText(machineId, isMissing)}</p>
      )}
    </section>
  );
}

function noChartText(machineId: string | null, isMissing: boolean): string {
  if (machineId === null) return 'No steps yet.';
  return isMissing
    ? 'The terminal has not described its machine since the server started.'
    : 'Loading chart…';
}

function chartLabel({ machineId, steps, struck }: ChartPaneProps, active: string | null): string {
  const taken = steps.map(({ step }) => step.state).join(', then ');
  return `Chart of the machine ${machineLabel(machineId ?? '')}${active ? `, in ${active}` : ''}${taken ? `. Path: ${taken}` : ''}${struck.size > 0 ? `. A fault struck in ${[...struck].join(' and ')}` : ''}`;
}
