import { listRoute } from '../../../platform/http/object-routes.ts';
import { route, type Route } from '../../../platform/http/route.ts';
import type { Condition } from '../../../platform/store/page-source.ts';
import { products, skus, orders } from './catalogue.ts';
import { Product, Sku, SkuQuery } from './catalogue.schema.ts';
import { Order } from './order.schema.ts';

const listProductsRoute = listRoute({
  operation: 'GET /in-person/products',
  tag: 'In-person product',
  summary: 'List products',
  section: 'Spec §4.13',
  item: Product,
  list: () => products.list(),
  show: products.show,
});

const getProductRoute = route({
  operation: 'GET /in-person/products/{id}',
  tag: 'In-person product',
  summary: 'Retrieve a product',
  section: 'Spec §4.13',
  reply: Product,
  find: ({ services: { store }, params }) => products.find(store, params.id),
  handle: async ({ found }) => products.show(found),
});

function soldIn({ country, productId }: { country: string; productId?: string }): Condition {
  return productId === undefined
    ? { where: 'country = ?', parameters: [country] }
    : { where: 'country = ? AND product_id = ?', parameters: [country, productId] };
}

const listSkusRoute = listRoute({
  operation: 'GET /in-person/skus',
  tag: 'In-person SKU',
  summary: 'List the SKUs of a country',
  section: 'Spec §4.13',
  query: SkuQuery,
  item: Sku,
  list: ({ query }) => skus.list(soldIn(query)),
  show: skus.show,
});

const getSkuRoute = route({
  operation: 'GET /in-person/skus/{id}',
  tag: 'In-person SKU',
  summary: 'Retrieve a SKU',
  section: 'Spec §4.13',
  reply: Sku,
  find: ({ services: { store }, params }) => skus.find(store, params.id),
  handle: async ({ found }) => skus.show(found),
});

const ofAccount = (accountId: string) => ({ where: 'account_id = ?', parameters: [accountId] });

const listOrdersRoute = listRoute({
  operation: 'GET /in-person/orders',
  tag: 'In-person order',
  summary: 'List orders of terminals',
  section: 'Spec §4.13',
  accountHeader: true,
  item: Order,
  list: ({ caller }) => orders.list(ofAccount(caller.accountId)),
  show: orders.show,
});

const getOrderRoute = route({
  operation: 'GET /in-person/orders/{id}',
  tag: 'In-person order',
  summary: 'Retrieve an order of terminals',
  section: 'Spec §4.13',
  accountHeader: true,
  reply: Order,
  find: ({ services: { store }, caller, params }) =>
    orders.find(store, params.id, ofAccount(caller.accountId)),
  handle: async ({ found }) => orders.show(found),
});

export const catalogueRoutes: readonly Route[] = [
  listProductsRoute,
  getProductRoute,
  listSkusRoute,
  getSkuRoute,
  listOrdersRoute,
  getOrderRoute,
];
