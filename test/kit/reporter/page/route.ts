import { signal } from '@preact/signals';

/** What is looked at, as the address says it. */
type Route = { view: 'coverage'; machineId: string | null } | { view: 'test'; id: string | null };

export const route = signal<Route>({ view: 'test', id: null });

export function hrefOf(to: Route): string {
  const [view, id] = to.view === 'test' ? ['tests', to.id] : ['coverage', to.machineId];
  return id === null ? `#/${view}` : `#/${view}/${encodeURIComponent(id)}`;
}

export function followLocation(): void {
  const read = () => {
    const [view, id] = location.hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
    route.value = view === 'coverage' ? { view, machineId: id ?? null } : { view: 'test', id: id ?? null };
  };
  addEventListener('hashchange', read);
  read();
}
