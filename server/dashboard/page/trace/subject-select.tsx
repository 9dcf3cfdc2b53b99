import type { TimelineSubject } from './subjects.ts';

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
