import { Icon } from '../parts/icons.tsx';
import { searchText } from './fleet-settings.ts';

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
