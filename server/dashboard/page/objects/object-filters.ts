import { addressQuery, parseAddressQuery } from '../address-query.ts';
import { DEFAULT_KIND, isObjectKind, type ObjectKind } from './object-kinds.ts';

const FILTERS = ['type', 'status', 'account', 'object', 'historyOf', 'text'] as const;
const NAMES = [...FILTERS, 'panel'] as const;

/**
 * Which objects the list shows, as the address has it. An absent member fits all, an absent `type` is payment sessions.
 * `panel` is `machine` for the chart of the open object.
 */
export type ObjectFilters = { [Member in (typeof NAMES)[number]]?: string };

export function parseObjectFilters(query: string): ObjectFilters {
  return parseAddressQuery(NAMES, query);
}

export function objectAddressQuery(filters: ObjectFilters): string {
  return addressQuery(NAMES, filters);
}

/** Returns the kind that the filters name; payment sessions for none that exists. */
export function kindOfFilters({ type = '' }: ObjectFilters): ObjectKind {
  return isObjectKind(type) ? type : DEFAULT_KIND;
}

/** Returns the query of the list of /sandbox/objects. */
export function objectListQuery(filters: ObjectFilters): string {
  return addressQuery(FILTERS, { ...filters, type: kindOfFilters(filters) });
}
