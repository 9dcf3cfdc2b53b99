import { PhoneNumber, Type, type Static } from '../../../protocol/schema.ts';

const line = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 150, description }));

/** Where a cardholder lives or has things sent: Spec §2.2. */
export const Address = Type.Object(
  {
    firstName: line('Given name of who lives there'),
    lastName: line('Family name of who lives there'),
    lineOne: line('Street and number'),
    lineTwo: line('What the first line has no room for'),
    city: line('Town or city'),
    country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1, two capital letters' }),
    postalCode: Type.String({ minLength: 1, maxLength: 16, description: 'Postcode or ZIP code' }),
    region: line('State, province or county'),
  },
  { title: 'Address' },
);
export type Address = Static<typeof Address>;

export const ShippingDetails = Type.Object(
  {
    address: Address,
    phoneNumber: Type.Optional(PhoneNumber),
  },
  { title: 'ShippingDetails' },
);
export type ShippingDetails = Static<typeof ShippingDetails>;
