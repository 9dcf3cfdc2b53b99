import { showPage } from '../../platform/http/paging.ts';
import { Page, PageQuery } from '../../platform/http/paging.schema.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { products } from './catalogue.records.ts';
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
    return showPage(store, products.list(), query, products.show);
  },
});

const getProductRoute = route({
  operation: 'GET /in-person/products/{id}',
  tag,
  summary: 'Retrieve a product',
  section: 'Spec §4.13',
  reply: Product,
  find: ({ services: { store }, params }) => products.find(store, params.id),
  handle: async ({ found }) => products.show(found),
});

export const productRoutes: readonly Route[] = [listProductsRoute, getProductRoute];
