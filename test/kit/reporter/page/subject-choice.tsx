import type { TimelineSubject } from './subjects.ts';

interface SubjectChoiceProps {
  subjects: readonly TimelineSubject[];
  /** Null for all of them. */
  subject: string | null;
  choose: (subject: string | null) => void;
}

// More than these side by side are a list to be opened.
const BUTTONS_MAX = 8;

/** Which of a world's actions and objects is shown. */
export function SubjectChoice({ subjects, subject, choose }: SubjectChoiceProps) {
  if (subjects.length > BUTTONS_MAX) {
    return (
      <label class="subjects">
        Shown
        <select
          value={subject ?? ''}
          onChange={({ currentTarget }) => choose(currentTarget.value === '' ? null : currentTarget.value)}
        >
          <option value="">Everything</option>
          {subjects.map(({ id, words }) => (
            <option key={id} value={id}>
              {words}
            </option>
          ))}
        </select>
      </label>
    );
  }
  return (
    <div class="subjects" role="group" aria-label="What is shown">
      <button aria-pressed={subject === null} onClick={() => choose(null)}>
        Everything
      </button>
      {subjects.map(({ id, words }) => (
        <button key={id} aria-pressed={subject === id} title={id} onClick={() => choose(id)}>
          {words}
        </button>
      ))}
    </div>
  );
}
