import { signal } from '@preact/signals';

/** A view of the page, as its URL hash names it. */
type Route = { view: 'coverage'; machineId: string | null } | { view: 'test'; id: string | null };

export const route = signal<Route>({ view: 'test', id: null });

/** Returns the hash of a route. */
export function hrefOf(to: Route): string {
  const [view, id] = to.view === 'test' ? ['tests', to.id] : ['coverage', to.machineId];
  return id === null ? `#/${view}` : `#/${view}/${encodeURIComponent(id)}`;
}

/** Sets `route` from the URL hash, now and at each change. */
export function followLocation(): void {
  const read = () => {
    const [view, id] = location.hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
    route.value = view === 'coverage' ? { view, machineId: id ?? null } : { view: 'test', id: id ?? null };
  };
  addEventListener('hashchange', read);
  read();
}
