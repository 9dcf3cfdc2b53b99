import { addressQuery, parseAddressQuery } from '../address-query.ts';

const NAMES = ['status', 'method', 'path', 'object', 'historyOf', 'text'] as const;

/** Which requests the list shows, as the address has it. An absent member fits all. */
export type RequestFilters = { [Member in (typeof NAMES)[number]]?: string };

export function parseFilters(query: string): RequestFilters {
  return parseAddressQuery(NAMES, query);
}

export function filterQuery(filters: RequestFilters): string {
  return addressQuery(NAMES, filters);
}
