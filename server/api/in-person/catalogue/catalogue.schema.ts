import {
  CreatedTimestamp,
  Id,
  LastUpdatedTimestamp,
  Nullable,
  Type,
  type Static,
  CountryCode,
  CurrencyCode,
  withDescription,
} from '../../../../protocol/schema.ts';
import { PageQuery } from '../../../platform/http/paging.schema.ts';

const Availability = Type.Enum(['Available', 'Unavailable'], {
  description: 'Whether it can be ordered',
});

/** A terminal model for sale. The same for every account. */
export const Product = Type.Object(
  {
    id: Id('product'),
    name: Type.String({ description: 'Name of the terminal model' }),
    status: Availability,
    description: Type.String({ description: 'Description of the terminal model' }),
    details: Nullable(
      Type.Record(Type.String(), Type.String()),
      'Technical details by name, such as the battery, the display or the card readers; null when there are none',
    ),
    createdTimestamp: CreatedTimestamp,
    lastUpdatedTimestamp: LastUpdatedTimestamp,
  },
  { title: 'Product', description: 'A model of terminal that can be ordered' },
);
export type Product = Static<typeof Product>;

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
