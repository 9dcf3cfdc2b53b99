import { signal } from '@preact/signals';
import { hrefOf, parseHash, type Route } from './route.ts';

export const route = signal<Route>({ view: 'fleet' });

/** Sets `route` from the URL hash, now and at each change. */
export function followLocation(): void {
  addEventListener('hashchange', readLocation);
  readLocation();
}

/** Navigates to a route. */
export function navigate(to: Route): void {
  location.hash = hrefOf(to);
  // Before the next event, which `hashchange` may come after: what is typed at once is typed in the new view.
  readLocation();
}

/**
 * Returns a function that navigates, unless the address has changed since this call: the user who has gone elsewhere
 * while the server was asked stays there.
 */
export function navigateLater(): (to: Route) => void {
  const { hash } = location;
  return (to) => {
    if (location.hash === hash) navigate(to);
  };
}

function readLocation(): void {
  route.value = parseHash(location.hash);
}
