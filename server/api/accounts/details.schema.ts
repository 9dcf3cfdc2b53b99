import { CountryCode, DateText, Nullable, Type, type Static } from '../../../protocol/schema.ts';
import { City, LineOne, PostalCode } from '../../platform/http/text.schema.ts';

// Field types of accounts and persons: Spec §2.1. Lengths: docs/choices.md, Details.

export const CalendarDate = DateText('Calendar date in the form `yyyy-MM-dd`', { format: 'date' });

/** The limits of a short text that a person has typed: a name, a number in a register. */
export const TEXT_LIMITS = { minLength: 1, maxLength: 200 };

/** A short text that a person has typed. */
export function Text(description: string, maxLength = TEXT_LIMITS.maxLength) {
  return Type.String({ ...TEXT_LIMITS, maxLength, description });
}

/** Where a business, a person or a bank account is: Spec §2.1. Lengths: docs/choices.md, Details. */
export const AccountAddress = Type.Object(
  {
    lineOne: LineOne('Street and house number', { minLength: 1, maxLength: 80 }),
    lineTwo: Type.Optional(
      Nullable(
        Type.String({ minLength: 1, maxLength: 80 }),
        'Second line of the address; null when there is none',
      ),
    ),
    city: City('City or town', { minLength: 1, maxLength: 50 }),
    country: CountryCode,
    postalCode: PostalCode('Postal code or ZIP code', { minLength: 1, maxLength: 16 }),
    region: Type.Optional(
      Nullable(
        Type.String({ minLength: 1, maxLength: 80 }),
        'State, province or county; null when there is none',
      ),
    ),
  },
  { title: 'AccountAddress', description: 'Address of a business, a person or the holder of a bank account' },
);
export type AccountAddress = Static<typeof AccountAddress>;

/** An address as the API shows it: the lines that may be empty are there, as null. */
export function withNullLines(address: AccountAddress): AccountAddress {
  return { ...address, lineTwo: address.lineTwo ?? null, region: address.region ?? null };
}
