import { List, Page } from '../../platform/http/paging.schema.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { routeFor, type Route } from '../../platform/http/route.ts';
import { listBalances } from './balances.ts';
import { readObject } from './object-detail.ts';
import { listObjects } from './object-list.records.ts';
import { ObjectDetail, ObjectQuery, ObjectSummary, SearchQuery, SearchResult } from './object.schema.ts';
import { search } from './search.records.ts';
import type { PaymentServices } from '../../api/payments/payment-services.ts';

const route = routeFor<PaymentServices>();

const common = {
  surface: 'sandbox',
  tag: 'Sandbox object',
  section: 'Sandbox',
  access: 'dashboard',
} as const;

const listObjectsRoute = route({
  ...common,
  operation: 'GET /sandbox/objects',
  summary: 'List the objects of a type, of all accounts',
  query: ObjectQuery,
  reply: Page(ObjectSummary),
  refusals: ['unknown_token', 'window_backwards'],
  async handle({ services, caller, query: { type, ...query } }) {
    if (type !== 'balance') return listObjects(services, caller, { ...query, type });
    return { items: await listBalances(services, caller, query.account), paginationToken: null };
  },
});

const getObjectRoute = route({
  ...common,
  operation: 'GET /sandbox/objects/{id}',
  summary: 'Retrieve an object of any type with its relations and its history',
  reply: ObjectDetail,
  async find({ services, caller, params }) {
    const found = await readObject(services, caller, params.id);
    if (!found) throw new Refusal('not_found', { what: 'object' });
    return found;
  },
  handle: async ({ found }) => found,
});

const searchRoute = route({
  ...common,
  operation: 'GET /sandbox/search',
  summary: 'Find what has an id, a serial number or an e-mail address',
  query: SearchQuery,
  reply: List(SearchResult),
  handle: async ({ services, caller, query: { text } }) => ({
    items: await search(services, caller, text.trim()),
  }),
});

/** Routes that read objects of all types and of all accounts. */
export const objectRoutes: readonly Route[] = [listObjectsRoute, getObjectRoute, searchRoute];
