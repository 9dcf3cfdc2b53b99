import { filterQuery, parseFilters, type RequestFilters } from './requests/request-filters.ts';

/** A view of the page, as its URL hash names it. */
export type Route =
  | { view: 'fleet' }
  | { view: 'terminal'; id: string; actionId?: string }
  /** The actions of a terminal. */
  | { view: 'actions'; id: string }
  | { view: 'requests'; id?: string; filters?: RequestFilters }
  | { view: 'webhooks' }
  | { view: 'objects'; id?: string };

/** Parses a hash such as `#/terminals/tml_1`. An unknown hash is the fleet. */
export function parseHash(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [view, id, part, partId] = path.split('/').map(decoded);
  if (view === 'terminals' && id) {
    if (part !== 'actions') return { view: 'terminal', id };
    return partId ? { view: 'terminal', id, actionId: partId } : { view: 'actions', id };
  }
  if (view === 'requests') return { view: 'requests', ...(id && { id }), filters: parseFilters(query) };
  if (view === 'webhooks') return { view: 'webhooks' };
  if (view === 'objects') return id ? { view: 'objects', id } : { view: 'objects' };
  return { view: 'fleet' };
}

/** Returns the hash of a route. */
export function hrefOf(route: Route): string {
  switch (route.view) {
    case 'fleet':
      return '#/';
    case 'terminal':
      return (
        `#/terminals/${encodeURIComponent(route.id)}` +
        (route.actionId === undefined ? '' : `/actions/${encodeURIComponent(route.actionId)}`)
      );
    case 'actions':
      return `#/terminals/${encodeURIComponent(route.id)}/actions`;
    case 'requests': {
      const query = filterQuery(route.filters ?? {});
      const path = route.id ? `#/requests/${encodeURIComponent(route.id)}` : '#/requests';
      return query ? `${path}?${query}` : path;
    }
    case 'webhooks':
      return '#/webhooks';
    case 'objects':
      return route.id ? `#/objects/${encodeURIComponent(route.id)}` : '#/objects';
  }
}

/** Undefined for a malformed part, such as a single percent sign. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
