import { DEFAULT_KIND, isObjectKind, type ObjectKind } from './objects/object-kinds.ts';

/** Returns the named members of the part of an address after its question mark. Others in it are ignored. */
function parseAddressQuery<Name extends string>(
  names: readonly Name[],
  query: string,
): { [Member in Name]?: string } {
  const given = new URLSearchParams(query);
  const members: { [Member in Name]?: string } = {};
  for (const name of names) {
    const value = given.get(name)?.trim();
    if (value) members[name] = value;
  }
  return members;
}

/** Returns the named members as the query of an address, without its question mark; empty for none. */
function addressQuery<Name extends string>(
  names: readonly Name[],
  members: { [Member in Name]?: string },
): string {
  const query = new URLSearchParams();
  for (const name of names) if (members[name]) query.set(name, members[name]);
  return query.toString();
}

const REQUEST_FILTERS = ['status', 'method', 'path', 'object', 'historyOf', 'text'] as const;

/** Which requests the list shows, as the address has it. An absent member fits all. */
export type RequestFilters = { [Member in (typeof REQUEST_FILTERS)[number]]?: string };

export function parseRequestFilters(query: string): RequestFilters {
  return parseAddressQuery(REQUEST_FILTERS, query);
}

export function requestQuery(filters: RequestFilters): string {
  return addressQuery(REQUEST_FILTERS, filters);
}

const DELIVERY_FILTERS = ['status', 'reply', 'event', 'object', 'endpoint', 'text'] as const;

/** Which deliveries the list shows, as the address has it. An absent member fits all. */
export type DeliveryFilters = { [Member in (typeof DELIVERY_FILTERS)[number]]?: string };

export function parseDeliveryFilters(query: string): DeliveryFilters {
  return parseAddressQuery(DELIVERY_FILTERS, query);
}

export function deliveryQuery(filters: DeliveryFilters): string {
  return addressQuery(DELIVERY_FILTERS, filters);
}

const OBJECT_FILTERS = ['type', 'status', 'account', 'object', 'historyOf', 'text'] as const;
const OBJECT_ADDRESS = [...OBJECT_FILTERS, 'panel'] as const;

/**
 * Which objects the list shows, as the address has it. An absent member fits all, an absent `type` is payment sessions.
 * `panel` is `machine` for the chart of the open object.
 */
export type ObjectFilters = { [Member in (typeof OBJECT_ADDRESS)[number]]?: string };

export function parseObjectFilters(query: string): ObjectFilters {
  return parseAddressQuery(OBJECT_ADDRESS, query);
}

export function objectAddressQuery(filters: ObjectFilters): string {
  return addressQuery(OBJECT_ADDRESS, filters);
}

/** Returns the kind that the filters name; payment sessions for none that exists. */
export function kindOfFilters({ type = '' }: ObjectFilters): ObjectKind {
  return isObjectKind(type) ? type : DEFAULT_KIND;
}

/** Returns the query of the list of /sandbox/objects. */
export function objectListQuery(filters: ObjectFilters): string {
  return addressQuery(OBJECT_FILTERS, { ...filters, type: kindOfFilters(filters) });
}
