import { CountryCode, Type, type Static } from '../../../protocol/schema.ts';
import { City, FirstName, LastName, LineOne, PostalCode } from '../../platform/http/text.schema.ts';

const LIMITS = { minLength: 1, maxLength: 150 };
const line = (description: string) => Type.Optional(Type.String({ ...LIMITS, description }));

/** Where a cardholder lives or has things sent: Spec §2.2. */
export const Address = Type.Object(
  {
    firstName: Type.Optional(FirstName('First name of the person at this address', LIMITS)),
    lastName: Type.Optional(LastName('Last name of the person at this address', LIMITS)),
    lineOne: Type.Optional(LineOne('Street and house number', LIMITS)),
    lineTwo: line('Second line of the address'),
    city: Type.Optional(City('City or town', LIMITS)),
    country: CountryCode,
    postalCode: PostalCode('Postal code or ZIP code', { minLength: 1, maxLength: 16 }),
    region: line('State, province or county'),
  },
  { title: 'Address', description: 'Address of a customer' },
);
export type Address = Static<typeof Address>;
