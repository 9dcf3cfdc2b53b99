/** Which requests the list shows, as the address has it. An absent member fits all. */
export interface RequestFilters {
  status?: string;
  path?: string;
  object?: string;
  text?: string;
}

const NAMES = ['status', 'path', 'object', 'text'] as const;

/** Returns the filters of the part of the address after its question mark. Others in it are ignored. */
export function parseFilters(query: string): RequestFilters {
  const given = new URLSearchParams(query);
  const filters: RequestFilters = {};
  for (const name of NAMES) {
    const value = given.get(name)?.trim();
    if (value) filters[name] = value;
  }
  return filters;
}

/** Returns the filters as the query of an address, without its question mark; empty for none. */
export function filterQuery(filters: RequestFilters): string {
  const query = new URLSearchParams();
  for (const name of NAMES) if (filters[name]) query.set(name, filters[name]);
  return query.toString();
}
