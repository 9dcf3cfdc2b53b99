import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/icons.tsx';
import { searchText } from './fleet-settings.ts';

/** Filters the terminals by text; a slash anywhere on the page focuses the field. */
export function FleetSearch() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const slash = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (
        event.key !== '/' ||
        event.ctrlKey ||
        event.metaKey ||
        /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)
      )
        return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', slash);
    return () => removeEventListener('keydown', slash);
  }, []);
  return (
    <label class="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label="Filter terminals"
        placeholder="Name, serial, state, session"
        value={searchText.value}
        onInput={(event) => (searchText.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') searchText.value = '';
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}
