import { useDashboard } from '../dashboard.ts';

/** What happens to the terminal that is looked at, for those who hear the page. */
export function Announcements() {
  const { state } = useDashboard();
  return (
    <div class="unseen" role="status" aria-live="polite">
      {state.announcement}
    </div>
  );
}
