import { problemOfIban } from '../api/payouts/iban.ts';

/** Returns the placeholder of a valid IBAN: country, length and last four. */
export function ibanPlaceholder(text: string): string | undefined {
  const iban = text.replaceAll(/\s/g, '').toUpperCase();
  const country = iban.slice(0, 2);
  return problemOfIban(iban, country) === undefined
    ? `{{iban:${country}:${iban.length}:${iban.slice(-4)}}}`
    : undefined;
}
