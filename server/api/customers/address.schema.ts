import { CountryCode, Type, type Static } from '../../../protocol/schema.ts';

const line = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 150, description }));

/** Where a cardholder lives or has things sent: Spec §2.2. */
export const Address = Type.Object(
  {
    firstName: line('First name of the person at this address'),
    lastName: line('Last name of the person at this address'),
    lineOne: line('Street and house number'),
    lineTwo: line('Second line of the address'),
    city: line('City or town'),
    country: CountryCode,
    postalCode: Type.String({ minLength: 1, maxLength: 16, description: 'Postal code or ZIP code' }),
    region: line('State, province or county'),
  },
  { title: 'Address', description: 'Address of a customer' },
);
export type Address = Static<typeof Address>;
