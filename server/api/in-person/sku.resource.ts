import { CurrencyCode, Id, Timestamp, Type, type Static } from '../../../protocol/schema.ts';
import { Page, PageQuery, readPage } from '../../platform/http/paging.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/services.ts';
import { Availability } from './product.resource.ts';
import { findSku, showSku, SKU_LIST, type SkuRow } from './sku.records.ts';

const tag = 'In-person SKU';

// Client libraries hold a price in 32 bits.
const INT32_MAX = 2 ** 31 - 1;

const Country = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2' });

/** A product as it is sold in one country and currency. The same for every account. */
export const Sku = Type.Object(
  {
    id: Id('sku'),
    name: Type.String(),
    country: Country,
    totalAmount: Type.Integer({ minimum: 0, maximum: INT32_MAX, description: 'Minor units' }),
    currency: CurrencyCode,
    status: Availability,
    productId: Id('product'),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'Sku' },
);
export type Sku = Static<typeof Sku>;

/** A list of SKUs is of one country, and always newest first. */
export const SkuQuery = Type.Object({
  country: Country,
  productId: Type.Optional(Id('product')),
  limit: PageQuery.properties.limit,
  startsAfter: PageQuery.properties.startsAfter,
});

export function skuRoutes({ store }: Services): Route[] {
  return [
    route({
      operation: 'GET /in-person/skus',
      tag,
      summary: 'List what is sold in a country',
      section: 'Spec §4.13',
      query: SkuQuery,
      reply: Page(Sku),
      refusals: ['unknown_token'],
      async handle({ query }) {
        const page = await readPage<SkuRow>(store, SKU_LIST(query.country, query.productId), query);
        return { items: page.rows.map(showSku), paginationToken: page.paginationToken };
      },
    }),
    route({
      operation: 'GET /in-person/skus/{id}',
      tag,
      summary: 'Fetch a SKU',
      section: 'Spec §4.13',
      reply: Sku,
      find: ({ params }) => findSku(store, params['id']!),
      handle: async ({ found }) => showSku(found),
    }),
  ];
}
