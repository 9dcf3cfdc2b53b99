import {
  objectAddressQuery,
  parseObjectFilters,
  type ObjectFilters,
  requestQuery,
  parseRequestFilters,
  type RequestFilters,
  deliveryQuery,
  parseDeliveryFilters,
  type DeliveryFilters,
} from './list-filters.ts';

/** A view of the page, as its URL hash names it. */
export type Route =
  | { view: 'fleet' }
  | { view: 'start' }
  | { view: 'terminal'; id: string; actionId?: string }
  /** The actions of a terminal. */
  | { view: 'actions'; id: string }
  | { view: 'requests'; id?: string; filters?: RequestFilters }
  | { view: 'webhooks'; id?: string; filters?: DeliveryFilters }
  | { view: 'objects'; id?: string; filters?: ObjectFilters }
  /** The plans of faults; `new` is the form of a plan to be. */
  | { view: 'faults'; id?: string }
  /** The certificates that commands make. */
  | { view: 'certificates'; id?: string }
  /** The drills; `id` is the name of one. */
  | { view: 'drills'; id?: string }
  | { view: 'unknown'; path: string };

/** Parses a hash such as `#/terminals/tml_1`. Any other path is unknown. */
export function parseHash(hash: string): Route {
  // The secret of a dashboard link, which is never shown, or a link within the page.
  if (!hash.startsWith('#/')) return { view: 'fleet' };
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [view = '', id = '', part = '', partId = '', ...rest] = path.split('/').map(decoded);
  const unknown: Route = { view: 'unknown', path };
  if (rest.length > 0 || (part !== '' && view !== 'terminals')) return unknown;
  switch (view) {
    case '':
      return { view: 'fleet' };
    case 'start':
      return id === '' ? { view: 'start' } : unknown;
    case 'terminals':
      if (!id || (part !== '' && part !== 'actions')) return unknown;
      if (part === '') return { view: 'terminal', id };
      return partId ? { view: 'terminal', id, actionId: partId } : { view: 'actions', id };
    case 'requests':
      return { view: 'requests', ...(id && { id }), filters: parseRequestFilters(query) };
    case 'webhooks':
      return { view: 'webhooks', ...(id && { id }), filters: parseDeliveryFilters(query) };
    case 'objects':
      return { view: 'objects', ...(id && { id }), filters: parseObjectFilters(query) };
    case 'faults':
      return { view: 'faults', ...(id && { id }) };
    case 'certificates':
      return { view: 'certificates', ...(id && { id }) };
    case 'drills':
      return { view: 'drills', ...(id && { id }) };
    default:
      return unknown;
  }
}

/** Returns the hash of a route. */
export function hrefOf(route: Route): string {
  switch (route.view) {
    case 'fleet':
      return '#/';
    case 'start':
      return '#/start';
    case 'unknown':
      return `#/${route.path}`;
    case 'terminal':
      return (
        `#/terminals/${encodeURIComponent(route.id)}` +
        (route.actionId === undefined ? '' : `/actions/${encodeURIComponent(route.actionId)}`)
      );
    case 'actions':
      return `#/terminals/${encodeURIComponent(route.id)}/actions`;
    case 'requests':
      return withQuery(pathOf('requests', route.id), requestQuery(route.filters ?? {}));
    case 'webhooks':
      return withQuery(pathOf('webhooks', route.id), deliveryQuery(route.filters ?? {}));
    case 'objects':
      return withQuery(pathOf('objects', route.id), objectAddressQuery(route.filters ?? {}));
    case 'faults':
      return pathOf('faults', route.id);
    case 'certificates':
      return pathOf('certificates', route.id);
    case 'drills':
      return pathOf('drills', route.id);
  }
}

function pathOf(view: string, id: string | undefined): string {
  return id ? `#/${view}/${encodeURIComponent(id)}` : `#/${view}`;
}

function withQuery(path: string, query: string): string {
  return query ? `${path}?${query}` : path;
}

/** Undefined for a malformed part, such as a single percent sign. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
