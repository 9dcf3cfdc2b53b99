import { useRef, useState } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';
import { problem } from '../link/api.ts';
import { Icon } from '../parts/icons.tsx';
import { useDismiss } from '../parts/use-dismiss.ts';
import { now, offset } from '../time.ts';
import { formatCountdown, formatDate, formatDuration, formatTime } from '../format.ts';
import type { FleetTerminal, WebhookEndpoint } from '../../view.ts';
import type { PageState } from '../page-state.ts';
import { useEndpoints } from '../webhooks/endpoint-list.tsx';

function comparedWithRealTime(offsetMs: number): string {
  if (offsetMs === 0) return 'Same as real time.';
  return `${formatDuration(Math.abs(offsetMs))} ${offsetMs > 0 ? 'ahead of' : 'behind'} real time.`;
}

/** The time of the sandbox, and the controls that advance it. */
export function ClockMenu() {
  const { state, api } = useDashboard();
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useDismiss(place, open, () => setOpen(false));

  const advance = async (seconds: number) => {
    const answer = await api.answer('POST /sandbox/clock/advance', { body: { seconds } });
    problem.value = answer.ok ? undefined : answer.problem;
  };
  const endpoints = useEndpoints(open) ?? [];
  const due = open ? nextDue(now.value, terminalsOf(state), endpoints) : undefined;
  return (
    <div class="clock" ref={place}>
      <button class="clock-face" aria-expanded={open} aria-haspopup="dialog" onClick={() => setOpen(!open)}>
        <Icon name="clock" />
        <time>{formatTime(now.value)}</time>
        {offset.value > 0 && <span class="ahead">+{formatDuration(offset.value)}</span>}
        <span class="unseen">Advance sandbox time</span>
      </button>
      {open && (
        <div class="popover clock-popover" role="dialog" aria-label="Sandbox time">
          <p class="clock-date">
            <b>{formatDate(now.value)}</b> {formatTime(now.value)} UTC
          </p>
          <p class="hint">{comparedWithRealTime(offset.value)} The clock can only be advanced.</p>
          <div class="clock-steps">
            {STEPS.map(({ label, seconds }) => (
              <button key={label} onClick={() => advance(seconds)}>
                {label}
              </button>
            ))}
          </div>
          <button
            class="wide"
            disabled={due === undefined}
            onClick={() => due && advance(secondsUntil(due.atMs, now.peek()))}
          >
            {due
              ? `Advance to ${due.what} (+${formatCountdown(due.atMs - now.value)})`
              : 'Nothing is scheduled'}
          </button>
          <CustomAdvance advance={advance} />
        </div>
      )}
    </div>
  );
}

function terminalsOf({ fleet }: PageState): FleetTerminal[] {
  return fleet.ids.value.flatMap((id) => fleet.get(id)?.peek() ?? []);
}

function CustomAdvance({ advance }: { advance: (seconds: number) => void }) {
  const [count, setCount] = useState('');
  const [unit, setUnit] = useState<Unit>('minutes');
  const seconds = Math.round(Number(count) * UNITS[unit]);
  return (
    <form
      class="clock-custom"
      onSubmit={(event) => {
        event.preventDefault();
        if (seconds > 0) advance(seconds);
      }}
    >
      <input
        aria-label="Duration"
        inputMode="decimal"
        placeholder="30"
        value={count}
        onInput={(event) => setCount(event.currentTarget.value)}
      />
      <select aria-label="Unit" value={unit} onChange={(event) => setUnit(event.currentTarget.value as Unit)}>
        {Object.keys(UNITS).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <button disabled={!(seconds > 0)}>Advance</button>
    </form>
  );
}

/** The buttons of the clock menu. */
const STEPS = [
  { label: '+1 min', seconds: 60 },
  { label: '+1 h', seconds: 3_600 },
  { label: '+1 day', seconds: 86_400 },
  { label: '+7 days', seconds: 604_800 },
] as const;

const UNITS = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const;
type Unit = keyof typeof UNITS;

interface Due {
  what: string;
  atMs: number;
}

/** Returns the next scheduled event that the page knows: a deadline or a webhook retry. */
export function nextDue(
  nowMs: number,
  terminals: readonly FleetTerminal[],
  endpoints: readonly { health: Pick<WebhookEndpoint['health'], 'nextAttemptTimestamp'> }[],
): Due | undefined {
  const deadlines = terminals.flatMap(({ action, name }): Due[] => {
    if (action?.status !== 'InProgress' || action.deadlineMs === null) return [];
    return [{ what: `deadline of ${name}`, atMs: action.deadlineMs }];
  });
  const retries = endpoints.flatMap(({ health: { nextAttemptTimestamp: next } }): Due[] =>
    next === null ? [] : [{ what: 'webhook retry', atMs: next * 1000 }],
  );
  return [...deadlines, ...retries].filter(({ atMs }) => atMs > nowMs).sort((a, b) => a.atMs - b.atMs)[0];
}

// The clock cannot be advanced further at once.
const SECONDS_MAX = 31_536_000;

/** Returns the whole seconds by which to advance the clock so that the instant has passed; at most a year. */
export function secondsUntil(atMs: number, nowMs: number): number {
  return Math.min(SECONDS_MAX, Math.max(1, Math.ceil((atMs - nowMs) / 1000)));
}
