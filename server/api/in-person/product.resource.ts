import { showPage } from '../../platform/http/paging.ts';
import { Page, PageQuery } from '../../platform/http/paging.schema.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { findProduct, PRODUCT_LIST, toProduct } from './product.records.ts';
import { Product } from './product.schema.ts';

const tag = 'In-person product';

const listProductsRoute = route({
  operation: 'GET /in-person/products',
  tag,
  summary: 'List products',
  section: 'Spec §4.13',
  query: PageQuery,
  reply: Page(Product),
  refusals: ['unknown_token'],
  async handle({ services: { store }, query }) {
    return showPage(store, PRODUCT_LIST, query, toProduct);
  },
});

const getProductRoute = route({
  operation: 'GET /in-person/products/{id}',
  tag,
  summary: 'Retrieve a product',
  section: 'Spec §4.13',
  reply: Product,
  find: ({ services: { store }, params }) => findProduct(store, params.id),
  handle: async ({ found }) => toProduct(found),
});

export const productRoutes: readonly Route[] = [listProductsRoute, getProductRoute];
