import { Icon } from '../parts/icons.tsx';
import { now as sandboxNow } from '../time.ts';
import { countdown } from '../wording.ts';
import { machineLabel } from './machine-label.ts';
import type { StepEntry } from '../timeline/stepping.ts';

/** Where the machine stands, what brought it there, and how long it may stay; and the ways to look back. */
export function ChartHead({
  machineId,
  machines,
  choose,
  steps,
  stepCount,
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
          {active ?? 'not begun'}
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
          {steps.length}/{stepCount}
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

/** The time that is left, running down on the sandbox's clock. */
function Deadline({ deadlineMs, sinceMs }: { deadlineMs: number; sinceMs: number | null }) {
  const left = deadlineMs - sandboxNow.value;
  const whole = sinceMs === null ? left : deadlineMs - sinceMs;
  const part = whole > 0 ? Math.min(1, Math.max(0, left / whole)) : 0;
  return (
    <span
      class={`deadline${part < 0.2 ? ' soon' : ''}`}
      role="timer"
      title="Until the deadline of this state"
    >
      <Icon name="clock" size={14} />
      {left > 0 ? countdown(left) : 'due'}
      <i class="deadline-bar" aria-hidden="true" style={{ '--left': part }} />
    </span>
  );
}

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
