import { useDashboard } from '../dashboard.ts';

/** A live region for screen readers: announces the actions of the selected terminal. */
export function Announcements() {
  const { state } = useDashboard();
  return (
    <div class="unseen" role="status" aria-live="polite">
      {state.announcement}
    </div>
  );
}
