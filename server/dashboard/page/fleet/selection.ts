import { computed, signal } from '@preact/signals';
import type { PageState } from '../page-state.ts';
import { isShown, type Group } from './fleet-filter.ts';

/** What the fleet is narrowed down to; the same in the wide view and in the rail beside a terminal. */
export const text = signal('');
export const group = signal<Group>('all');

/** How much room each terminal gets; `auto` is compact once there are many. */
export const density = signal<'auto' | 'tiles' | 'compact'>('auto');
const COMPACT_FROM = 60;

export function isCompact(count: number): boolean {
  return density.value === 'auto' ? count >= COMPACT_FROM : density.value === 'compact';
}

/** The ids of the terminals to show, in order. Follows what terminals do only where that decides who is shown. */
export function shownTerminals({ fleet: { ids: all, get, revision } }: PageState) {
  return computed(() => {
    const ids = all.value;
    const words = text.value.trim();
    if (words === '' && group.value === 'all') return ids;
    void revision.value;
    return ids.filter((id) => {
      const known = get(id)?.peek();
      return known !== undefined && isShown(known, group.value, words);
    });
  });
}
