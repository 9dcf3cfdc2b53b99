import { Id, Nullable, Timestamp, Type, type Static } from '../../../protocol/schema.ts';

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
