import { showPage } from '../../platform/http/paging.ts';
import { Page, PageQuery } from '../../platform/http/paging.schema.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { findOrder, ORDER_LIST, toOrder } from './order.records.ts';
import { Order } from './order.schema.ts';

const tag = 'In-person order';
const listOrdersRoute = route({
  operation: 'GET /in-person/orders',
  tag,
  summary: 'List orders of terminals',
  section: 'Spec §4.13',
  accountHeader: true,
  query: PageQuery,
  reply: Page(Order),
  refusals: ['unknown_token'],
  async handle({ services: { store }, caller, query }) {
    return showPage(store, ORDER_LIST(caller.accountId), query, toOrder);
  },
});

const getOrderRoute = route({
  operation: 'GET /in-person/orders/{id}',
  tag,
  summary: 'Retrieve an order of terminals',
  section: 'Spec §4.13',
  accountHeader: true,
  reply: Order,
  find: ({ services: { store }, caller, params }) => findOrder(store, caller.accountId, params.id),
  handle: async ({ found }) => toOrder(found),
});

export const orderRoutes: readonly Route[] = [listOrdersRoute, getOrderRoute];
