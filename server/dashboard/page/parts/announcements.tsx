import { useDashboard } from '../dashboard.ts';

/** A live region that announces the events of the terminal shown to screen readers. */
export function Announcements() {
  const { state } = useDashboard();
  return (
    <div class="unseen" role="status" aria-live="polite">
      {state.announcement}
    </div>
  );
}
