import {
  CreatedTimestamp,
  Id,
  LastUpdatedTimestamp,
  Nullable,
  Type,
  type Static,
} from '../../../protocol/schema.ts';

export const Availability = Type.Enum(['Available', 'Unavailable'], {
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
