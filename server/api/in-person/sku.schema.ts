import {
  CountryCode,
  CreatedTimestamp,
  CurrencyCode,
  Id,
  LastUpdatedTimestamp,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';
import { Availability } from './product.schema.ts';

// Client libraries hold a price in 32 bits.
const INT32_MAX = 2 ** 31 - 1;

/** A product for one country and currency. The same for every account. */
export const Sku = Type.Object(
  {
    id: Id('sku'),
    name: Type.String({ description: 'Name of the SKU' }),
    country: withDescription(
      CountryCode,
      'Country that the SKU is sold in, as a two-letter ISO 3166-1 alpha-2 code',
    ),
    totalAmount: Type.Integer({
      minimum: 0,
      maximum: INT32_MAX,
      description: 'Price of one unit, in minor units of `currency`',
    }),
    currency: CurrencyCode,
    status: Availability,
    productId: Id('product'),
    createdTimestamp: CreatedTimestamp,
    lastUpdatedTimestamp: LastUpdatedTimestamp,
  },
  { title: 'Sku', description: 'A product as it is sold in one country and currency' },
);
export type Sku = Static<typeof Sku>;

/** Query of a list of SKUs: one country, always newest first. */
export const SkuQuery = Type.Object({
  country: withDescription(CountryCode, 'Country to list SKUs for, as a two-letter ISO 3166-1 alpha-2 code'),
  productId: Type.Optional(Id('product', 'Return only SKUs of this product')),
  limit: PageQuery.properties.limit,
  startsAfter: PageQuery.properties.startsAfter,
});
