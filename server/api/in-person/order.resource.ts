import { showPage } from '../../platform/http/paging.ts';
import { Page, PageQuery } from '../../platform/http/paging.schema.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { orders } from './catalogue.records.ts';
import { Order } from './order.schema.ts';

const tag = 'In-person order';

const ofAccount = (accountId: string) => ({ where: 'account_id = ?', parameters: [accountId] });

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
    return showPage(store, orders.list(ofAccount(caller.accountId)), query, orders.show);
  },
});

const getOrderRoute = route({
  operation: 'GET /in-person/orders/{id}',
  tag,
  summary: 'Retrieve an order of terminals',
  section: 'Spec §4.13',
  accountHeader: true,
  reply: Order,
  find: ({ services: { store }, caller, params }) =>
    orders.find(store, params.id, ofAccount(caller.accountId)),
  handle: async ({ found }) => orders.show(found),
});

export const orderRoutes: readonly Route[] = [listOrdersRoute, getOrderRoute];
