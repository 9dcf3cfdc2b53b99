import { useMemo } from 'preact/hooks';
import { ChartCanvas } from './chart-canvas.tsx';
import { undescribedLayout, useMachineLayout, machineLabel } from './machine-layouts.ts';
import { Icon } from '../parts/icons.tsx';
import { now as sandboxNow } from '../time.ts';
import { formatCountdown } from '../format.ts';
import type { StepEntry } from '../timeline/steps.ts';

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

/**
 * The state of the machine, the event that led to it and its deadline, with the buttons to step through the history.
 */
function ChartHead({
  machineId,
  machines,
  choose,
  steps,
  allSteps,
  live,
  now,
  over,
  step,
  goLive,
  active,
}: ChartPaneProps & { active: string | null }) {
  const last = steps.at(-1);
  const deadlineMs = live ? (now?.deadlineMs ?? last?.step.deadlineMs ?? null) : null;
  return (
    <header class="chart-head">
      {machines.length > 1 && (
        <div class="segments" role="group" aria-label="Machine">
          {machines.map((id) => (
            <button key={id} aria-pressed={id === machineId} onClick={() => choose(id)}>
              {machineLabel(id)}
            </button>
          ))}
        </div>
      )}
      <p class="chart-state">
        <b class="mono" title={active ?? undefined}>
          {active ?? 'not started'}
        </b>
        {last && (
          <span class="mono last-event" title={`Last event: ${last.step.event}`}>
            {last.step.event}
          </span>
        )}
      </p>
      {deadlineMs !== null && !over && <Deadline deadlineMs={deadlineMs} sinceMs={last?.atMs ?? null} />}
      <div class={`stepper${live ? '' : ' back'}`} role="group" aria-label="Steps">
        <button
          class="quiet square"
          aria-label="Step back"
          disabled={steps.length <= 1}
          onClick={() => step(-1)}
        >
          <Icon name="back" />
        </button>
        <span class="step-count" title="Step shown, of all steps">
          {steps.length}/{allSteps.length}
        </span>
        <button class="quiet square" aria-label="Step forward" disabled={live} onClick={() => step(1)}>
          <Icon name="forward" />
        </button>
        <button class="live-button" aria-pressed={live} onClick={goLive}>
          Live
        </button>
      </div>
    </header>
  );
}

/** The time left, counting down in sandbox time. */
function Deadline({ deadlineMs, sinceMs }: { deadlineMs: number; sinceMs: number | null }) {
  const left = deadlineMs - sandboxNow.value;
  const whole = sinceMs === null ? left : deadlineMs - sinceMs;
  const part = whole > 0 ? Math.min(1, Math.max(0, left / whole)) : 0;
  return (
    <span class={`deadline${part < 0.2 ? ' soon' : ''}`} role="timer" title="Time until this state times out">
      <Icon name="clock" size={14} />
      {left > 0 ? formatCountdown(left) : 'expired'}
      <i class="deadline-bar" aria-hidden="true" style={{ '--left': part }} />
    </span>
  );
}

/** The state of a target, as far as it is known apart from its steps. */
export interface MachineState {
  state: string | null;
  deadlineMs: number | null;
}

interface ChartPaneProps {
  machineId: string | null;
  /** Ids of the machines that can be selected. */
  machines: readonly string[];
  choose: (machineId: string) => void;
  allSteps: readonly StepEntry[];
  /** The steps up to the moment shown. */
  steps: readonly StepEntry[];
  /** Paths of the states in which a fault struck, up to the moment shown. */
  struck: ReadonlySet<string>;
  live: boolean;
  now: MachineState | undefined;
  over: boolean;
  step: (by: -1 | 1) => void;
  goLive: () => void;
}
