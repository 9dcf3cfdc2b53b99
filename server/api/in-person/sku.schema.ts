import { CurrencyCode, Id, Timestamp, Type, type Static } from '../../../protocol/schema.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';
import { Availability } from './product.schema.ts';

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
