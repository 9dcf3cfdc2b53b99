import { Id, Nullable, Timestamp, Type, type Static } from '../../../protocol/schema.ts';
import { Page, PageQuery, readPage } from '../../platform/http/paging.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/services.ts';
import { findProduct, PRODUCT_LIST, showProduct, type ProductRow } from './product.records.ts';

const tag = 'In-person product';

export const Availability = Type.Enum(['Available', 'Unavailable']);

/** A model of terminal that can be bought. The same for every account. */
export const Product = Type.Object(
  {
    id: Id('product'),
    name: Type.String(),
    status: Availability,
    description: Type.String(),
    details: Nullable(
      Type.Record(Type.String(), Type.String(), {
        description: 'Facts in free text: battery, display, connectivity, card readers',
      }),
    ),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'Product' },
);
export type Product = Static<typeof Product>;

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
