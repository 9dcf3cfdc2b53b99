import { Nullable, Type, type Static } from '../../../protocol/schema.ts';
import { CountryCode } from './details.schema.ts';

/** Where a business, a person or a bank account is: Spec §2.1. Lengths: docs/choices.md, Details. */
export const AccountAddress = Type.Object(
  {
    lineOne: Type.String({ minLength: 1, maxLength: 80, description: 'Street and number' }),
    lineTwo: Type.Optional(
      Nullable(
        Type.String({ minLength: 1, maxLength: 80, description: 'What the first line has no room for' }),
      ),
    ),
    city: Type.String({ minLength: 1, maxLength: 50 }),
    country: CountryCode,
    postalCode: Type.String({ minLength: 1, maxLength: 16 }),
    region: Type.Optional(
      Nullable(Type.String({ minLength: 1, maxLength: 80, description: 'State, province or county' })),
    ),
  },
  { title: 'AccountAddress' },
);
export type AccountAddress = Static<typeof AccountAddress>;

/** An address as the API shows it: the lines that may be empty are there, as null. */
export function showAddress(address: AccountAddress): AccountAddress {
  return { ...address, lineTwo: address.lineTwo ?? null, region: address.region ?? null };
}
