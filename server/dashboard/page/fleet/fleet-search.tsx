import { computed, signal } from '@preact/signals';
import type { PageState } from '../page-state.ts';
import { Icon } from '../parts/icons.tsx';
import { matchesFilter, type Group } from './fleet-list.ts';

/** The filter of the fleet, shared by the fleet view and the sidebar. */
const searchText = signal('');
export const group = signal<Group>('all');

export function clearFilter(): void {
  searchText.value = '';
  group.value = 'all';
}

/** The ids of the terminals that match the filter, in order. Without a filter, depends on the list of ids alone. */
export function filteredTerminals({ fleet: { ids: all, get, revision } }: PageState) {
  return computed(() => {
    const ids = all.value;
    const words = searchText.value.trim();
    if (words === '' && group.value === 'all') return ids;
    void revision.value;
    return ids.filter((id) => {
      const known = get(id)?.peek();
      return known !== undefined && matchesFilter(known, group.value, words);
    });
  });
}

/** Filters the terminals by text. */
export function FleetSearch() {
  return (
    <label class="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label="Filter terminals"
        placeholder="Name, serial, state, session"
        value={searchText.value}
        onInput={(event) => (searchText.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') searchText.value = '';
        }}
      />
    </label>
  );
}
