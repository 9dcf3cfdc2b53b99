import { computed, signal } from '@preact/signals';
import type { PageState } from '../page-state.ts';
import { matchesFilter, type Group } from './fleet-filter.ts';

/** The filter of the fleet, shared by the fleet view and the sidebar. */
export const searchText = signal('');
export const group = signal<Group>('all');

export function clearFilter(): void {
  searchText.value = '';
  group.value = 'all';
}

/** The size of the tiles; `auto` is compact from `COMPACT_FROM` terminals on. */
export const density = signal<'auto' | 'tiles' | 'compact'>('auto');
const COMPACT_FROM = 60;

export function isCompact(count: number): boolean {
  return density.value === 'auto' ? count >= COMPACT_FROM : density.value === 'compact';
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
