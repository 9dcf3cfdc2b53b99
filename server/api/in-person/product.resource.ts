import { readPage } from '../../platform/http/paging.ts';
import { Page, PageQuery } from '../../platform/http/paging.schema.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/services.ts';
import { findProduct, PRODUCT_LIST, showProduct, type ProductRow } from './product.records.ts';
import { Product } from './product.schema.ts';

const tag = 'In-person product';

export function productRoutes({ store }: Services): Route[] {
  return [
    route({
      operation: 'GET /in-person/products',
      tag,
      summary: 'List products',
      section: 'Spec §4.13',
      query: PageQuery,
      reply: Page(Product),
      refusals: ['unknown_token'],
      async handle({ query }) {
        const page = await readPage<ProductRow>(store, PRODUCT_LIST, query);
        return { items: page.rows.map(showProduct), paginationToken: page.paginationToken };
      },
    }),
    route({
      operation: 'GET /in-person/products/{id}',
      tag,
      summary: 'Fetch a product',
      section: 'Spec §4.13',
      reply: Product,
      find: ({ params }) => findProduct(store, params['id']!),
      handle: async ({ found }) => showProduct(found),
    }),
  ];
}
