import { problemOfIban } from '../../server/api/payouts/iban.ts';

/** Returns an IBAN of a country with this length and these last characters, and check digits that are right. */
export function ibanLike(country: string, length: number, last4: string): string | undefined {
  const account = last4.padStart(length - 4, '1');
  return Array.from(
    { length: 100 },
    (_, check) => `${country}${String(check).padStart(2, '0')}${account}`,
  ).find((iban) => problemOfIban(iban, country) === undefined);
}
