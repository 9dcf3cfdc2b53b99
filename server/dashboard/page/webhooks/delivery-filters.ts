import { addressQuery, parseAddressQuery } from '../address-query.ts';

const NAMES = ['status', 'reply', 'event', 'object', 'endpoint', 'text'] as const;

/** Which deliveries the list shows, as the address has it. An absent member fits all. */
export type DeliveryFilters = { [Member in (typeof NAMES)[number]]?: string };

export function parseDeliveryFilters(query: string): DeliveryFilters {
  return parseAddressQuery(NAMES, query);
}

export function deliveryQuery(filters: DeliveryFilters): string {
  return addressQuery(NAMES, filters);
}
