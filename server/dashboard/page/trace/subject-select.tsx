import type { TimelineEntry } from '../../view.ts';

interface SubjectSelectProps {
  subjects: readonly TimelineSubject[];
  /** Null for all. */
  subject: string | null;
  choose: (subject: string | null) => void;
}

// More subjects than this are a select instead of buttons.
const BUTTONS_MAX = 8;

/** Selects the action or object of a world to show. */
export function SubjectSelect({ subjects, subject, choose }: SubjectSelectProps) {
  if (subjects.length > BUTTONS_MAX) {
    return (
      <label class="subjects">
        Show
        <select
          value={subject ?? ''}
          onChange={({ currentTarget }) => choose(currentTarget.value === '' ? null : currentTarget.value)}
        >
          <option value="">All objects</option>
          {subjects.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </label>
    );
  }
  return (
    <div class="subjects" role="group" aria-label="Show">
      <button aria-pressed={subject === null} onClick={() => choose(null)}>
        All objects
      </button>
      {subjects.map(({ id, label }) => (
        <button key={id} aria-pressed={subject === id} title={id} onClick={() => choose(id)}>
          {label}
        </button>
      ))}
    </div>
  );
}

/** An action, or an object without an action, whose machines took steps. */
export interface TimelineSubject {
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

/** Returns the subjects in the order of their first step, numbered by kind. */
export function subjectsOf(entries: readonly TimelineEntry[]): TimelineSubject[] {
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
export function entriesOfSubject(entries: readonly TimelineEntry[], id: string): TimelineEntry[] {
  return entries.filter(({ actionId, objectId }) => actionId === id || objectId === id);
}
