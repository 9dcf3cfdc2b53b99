import type { TimelineEntry } from '../../view.ts';

interface TimelineSelectProps {
  timelines: readonly ListedTimeline[];
  /** Null for all. */
  timeline: string | null;
  choose: (timeline: string | null) => void;
}

// More timelines than this are a select instead of buttons.
const BUTTONS_MAX = 8;

/** Selects the action or object of a world to show. */
export function TimelineSelect({ timelines, timeline, choose }: TimelineSelectProps) {
  if (timelines.length > BUTTONS_MAX) {
    return (
      <label class="timelines">
        Show
        <select
          value={timeline ?? ''}
          onChange={({ currentTarget }) => choose(currentTarget.value === '' ? null : currentTarget.value)}
        >
          <option value="">All objects</option>
          {timelines.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </label>
    );
  }
  return (
    <div class="timelines" role="group" aria-label="Show">
      <button aria-pressed={timeline === null} onClick={() => choose(null)}>
        All objects
      </button>
      {timelines.map(({ id, label }) => (
        <button key={id} aria-pressed={timeline === id} title={id} onClick={() => choose(id)}>
          {label}
        </button>
      ))}
    </div>
  );
}

/** An action, or an object without an action, whose machines took steps. */
export interface ListedTimeline {
  id: string;
  label: string;
}

const KINDS: Record<string, string> = {
  tmlact: 'Action',
  ps: 'Payment session',
  sub: 'Subscription',
  dsp: 'Dispute',
  po: 'Payout',
};

/** Returns the timelines in the order of their first step, numbered by kind. */
export function timelinesIn(entries: readonly TimelineEntry[]): ListedTimeline[] {
  const ids = new Set(
    entries.flatMap(({ step, actionId, objectId }) => (step ? (actionId ?? objectId ?? []) : [])),
  );
  const seen = new Map<string, number>();
  return [...ids].map((id) => {
    const prefix = id.split('_')[0]!;
    const number = (seen.get(prefix) ?? 0) + 1;
    seen.set(prefix, number);
    return { id, label: `${KINDS[prefix] ?? prefix} ${number}` };
  });
}

/** Returns the entries of an action or object. */
export function entriesOfTimeline(entries: readonly TimelineEntry[], id: string): TimelineEntry[] {
  return entries.filter(({ actionId, objectId }) => actionId === id || objectId === id);
}
