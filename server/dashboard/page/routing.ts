import { signal } from '@preact/signals';
import { hrefOf, parseHash, type Route } from './route.ts';

export const route = signal<Route>({ view: 'fleet' });

/** Sets `route` from the URL hash, now and at each change. */
export function followLocation(): void {
  const read = () => (route.value = parseHash(location.hash));
  addEventListener('hashchange', read);
  read();
}

/** Navigates to a route. */
export function navigate(to: Route): void {
  location.hash = hrefOf(to);
}
