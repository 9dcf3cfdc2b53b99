import { useDashboard } from '../dashboard.ts';
import type { Group } from './fleet-filter.ts';
import { group } from './fleet-settings.ts';

const GROUPS: { id: Group; label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'active', label: 'In progress' },
  { id: 'failed', label: 'Failed' },
  { id: 'offline', label: 'Offline' },
];

/** The number of terminals in each status; selecting one filters by it. */
export function FleetGroups() {
  const { state } = useDashboard();
  const counts = state.fleet.counts.value;
  return (
    <div class="segments" role="group" aria-label="Show">
      {GROUPS.map(({ id, label }) => (
        <button key={id} aria-pressed={group.value === id} onClick={() => (group.value = id)}>
          {label} <b>{counts[id]}</b>
        </button>
      ))}
    </div>
  );
}
