import { expect, test } from 'vitest';
import { idPattern } from '../../../../../protocol/ids.ts';
import { checker } from '../../../../../protocol/schema.ts';
import {
  ORDERS,
  PRODUCTS,
  seedCatalogue,
  SKUS,
} from '../../../../../server/api/in-person/catalogue/catalogue.ts';
import { catalogueRoutes } from '../../../../../server/api/in-person/catalogue/catalogue.resource.ts';
import { Order } from '../../../../../server/api/in-person/catalogue/order.schema.ts';
import { Product, Sku } from '../../../../../server/api/in-person/catalogue/catalogue.schema.ts';
import { smallServer } from '../../../platform/http/small-server.ts';

const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

test('catalogue: its tables match their schemas and each other', () => {
  for (const product of PRODUCTS) expect(checker(Product)(product)).toEqual([]);
  for (const sku of SKUS) expect(checker(Sku)(sku)).toEqual([]);
  for (const order of ORDERS) expect(checker(Order)(order)).toEqual([]);
  for (const { productId } of SKUS) expect(idsOf(PRODUCTS)).toContain(productId);
  for (const { id } of ORDERS.flatMap(({ items }) => items)) expect(idsOf(SKUS)).toContain(id);
  const ids = idsOf([...PRODUCTS, ...SKUS, ...ORDERS]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('catalogue: each product is sold in the UK and the US, and every order status has an order', () => {
  for (const { id } of PRODUCTS) {
    const sold = SKUS.filter(({ productId }) => productId === id);
    expect(sold.map(({ country, currency }) => `${country} ${currency}`)).toEqual(['GB GBP', 'US USD']);
  }
  expect(ORDERS.map(({ status }) => status).sort()).toEqual([
    'AwaitingPayment',
    'Cancelled',
    'ReadyToShip',
    'Shipped',
  ]);
});

test('catalogue: an order costs the sum of its items and its shipping', () => {
  const [shipped] = ORDERS;
  expect([shipped!.totalAmount, shipped!.taxAmount]).toEqual([2 * 28_680 + 600, 2 * 4_780 + 100]);
  for (const { totalAmount, taxAmount } of ORDERS) expect(taxAmount).toBeLessThan(totalAmount);
});

test(
  'GET /in-person/products: returns pages, newest first, and each product by id',
  { tags: ['spec:4.13/GET/in-person/products', 'spec:4.13/GET/in-person/products/{id}'] },
  async () => {
    const { call } = await smallServer(catalogueRoutes);
    const all = await call('GET /v1/in-person/products');
    expect([all.status, all.body]).toEqual([200, { items: [...PRODUCTS].reverse(), paginationToken: null }]);
    const first = await call('GET /v1/in-person/products?limit=1&ascending=true');
    expect([first.body.items, first.body.paginationToken]).toEqual([[PRODUCTS[0]], PRODUCTS[0]!.id]);
    const second = await call(
      `GET /v1/in-person/products?limit=1&ascending=true&startsAfter=${PRODUCTS[0]!.id}`,
    );
    expect(second.body).toEqual({ items: [PRODUCTS[1]], paginationToken: null });
    expect((await call(`GET /v1/in-person/products/${PRODUCTS[0]!.id}`)).body).toEqual(PRODUCTS[0]);
  },
);

test(
  'GET /in-person/skus: returns the SKUs of one country, and of one product when asked',
  { tags: ['spec:4.13/GET/in-person/skus', 'spec:4.13/GET/in-person/skus/{id}', 'spec:4.13/sku-country'] },
  async () => {
    const { call } = await smallServer(catalogueRoutes);
    const british = SKUS.filter(({ country }) => country === 'GB');
    const all = await call('GET /v1/in-person/skus?country=GB');
    expect(all.body).toEqual({ items: [...british].reverse(), paginationToken: null });
    const one = await call(`GET /v1/in-person/skus?country=US&productId=${PRODUCTS[0]!.id}`);
    expect(idsOf(one.body.items)).toEqual([SKUS[1]!.id]);
    expect((await call('GET /v1/in-person/skus?country=FR')).body).toEqual({
      items: [],
      paginationToken: null,
    });
    const page = await call('GET /v1/in-person/skus?country=GB&limit=1');
    const rest = await call(`GET /v1/in-person/skus?country=GB&startsAfter=${page.body.paginationToken}`);
    expect(idsOf([...page.body.items, ...rest.body.items])).toEqual(idsOf(british).reverse());
    expect((await call(`GET /v1/in-person/skus/${SKUS[3]!.id}`)).body).toEqual(SKUS[3]);
  },
);

test.each([
  ['no country', '', 'country is required'],
  ['a country in small letters', '?country=gb', 'country must'],
  ['a country in three letters', '?country=GBR', 'country must'],
  ['an invalid product id', '?country=GB&productId=7', 'productId must'],
  ['a token of another country', `?country=US&startsAfter=${SKUS[0]!.id}`, 'startsAfter is not'],
  ['a limit over the maximum', '?country=GB&limit=51', 'limit must'],
])('GET /in-person/skus: refuses %s', async (_what, query, message) => {
  const { call } = await smallServer(catalogueRoutes);
  const { status, body } = await call(`GET /v1/in-person/skus${query}`);
  expect([status, body.errors[0].code]).toEqual([400, 'invalid_field']);
  expect(body.errors[0].message).toContain(message);
});

test(
  'GET /in-person/orders: orders belong to the platform and are not visible to a sub account',
  { tags: ['spec:4.13/GET/in-person/orders', 'spec:4.13/GET/in-person/orders/{id}'] },
  async () => {
    const { call, subAccountId } = await smallServer(catalogueRoutes);
    const all = await call('GET /v1/in-person/orders');
    expect(all.body).toEqual({ items: [...ORDERS].reverse(), paginationToken: null });
    const path = `/v1/in-person/orders/${ORDERS[0]!.id}`;
    expect((await call(`GET ${path}`)).body).toEqual(ORDERS[0]);
    const headers = { account: subAccountId };
    expect((await call('GET /v1/in-person/orders', { headers })).body.items).toEqual([]);
    expect((await call(`GET ${path}`, { headers })).status).toBe(404);
    const { status } = await call(`GET /v1/in-person/orders?startsAfter=${ORDERS[0]!.id}`, { headers });
    expect(status).toBe(400);
  },
);

test.each(['products', 'skus', 'orders'])('catalogue: an unknown id of %s is not found', async (kind) => {
  const { call } = await smallServer(catalogueRoutes);
  for (const id of ['nonsense', 'ippd_01JGXDFAM0Y2QZJP0SHDFV20F8', 'ipsku_']) {
    const { status, body } = await call(`GET /v1/in-person/${kind}/${id}`);
    expect([id, status, body.errors?.[0].code]).toEqual([id, 404, 'not_found']);
  }
});

test('catalogue: needs the secret key', async () => {
  const { call, services } = await smallServer(catalogueRoutes);
  const headers = { authorization: services.settings.publicKey };
  for (const path of ['products', 'skus?country=GB', 'orders']) {
    expect((await call(`GET /v1/in-person/${path}`, { headers })).status).toBe(403);
  }
});

test('catalogue: seeding twice changes nothing', async () => {
  const { call, services, platformId, subAccountId } = await smallServer(catalogueRoutes);
  await services.store.transaction(async (tx) => seedCatalogue(tx, platformId));
  await services.store.transaction(async (tx) => seedCatalogue(tx, subAccountId));
  expect((await call('GET /v1/in-person/orders')).body.items).toHaveLength(4);
  expect((await call('GET /v1/in-person/products')).body.items).toHaveLength(2);
});

test('catalogue: the fixed ids have the documented form', { tags: ['spec:2.1/id-prefixes'] }, () => {
  for (const { id } of PRODUCTS) expect(id).toMatch(new RegExp(idPattern('product')));
  for (const { id } of SKUS) expect(id).toMatch(new RegExp(idPattern('sku')));
  for (const { id } of ORDERS) expect(id).toMatch(new RegExp(idPattern('order')));
});
