import { keysOf, isKeyOf } from './tables.ts';

/**
 * Accepted currencies with the minimum and maximum amount of a payment, in minor units (Spec §2.1; limits in
 * docs/choices.md). All have two decimals (ISO 4217).
 */
export const CURRENCIES = {
  GBP: { minMinor: 30, maxMinor: 2_000_000 },
  USD: { minMinor: 50, maxMinor: 2_000_000 },
  EUR: { minMinor: 50, maxMinor: 2_000_000 },
  CHF: { minMinor: 50, maxMinor: 2_000_000 },
  CAD: { minMinor: 100, maxMinor: 1_000_000 },
  AUD: { minMinor: 100, maxMinor: 2_000_000 },
  NZD: { minMinor: 100, maxMinor: 1_000_000 },
  AED: { minMinor: 200, maxMinor: 2_500_000 },
  TRY: { minMinor: 3_000, maxMinor: 80_000_000 },
  PLN: { minMinor: 250, maxMinor: 2_500_000 },
  RON: { minMinor: 300, maxMinor: 3_000_000 },
  DKK: { minMinor: 500, maxMinor: 17_500_000 },
  HKD: { minMinor: 500, maxMinor: 10_000_000 },
  ZAR: { minMinor: 1_000, maxMinor: 11_500_000 },
  SEK: { minMinor: 1_000, maxMinor: 12_500_000 },
  NOK: { minMinor: 1_000, maxMinor: 15_000_000 },
  CZK: { minMinor: 1_500, maxMinor: 40_000_000 },
  HUF: { minMinor: 25_000, maxMinor: 800_000_000 },
} as const;

export type Currency = keyof typeof CURRENCIES;

export const CURRENCY_CODES = keysOf(CURRENCIES);

/** Returns whether payments can be made in a currency. */
export function isCurrency(code: string): code is Currency {
  return isKeyOf(CURRENCIES, code);
}

/** ISO 4217 numeric codes as four digits, as in tag 5F2A. */
export const CURRENCY_NUMBERS: Record<Currency, string> = {
  GBP: '0826',
  USD: '0840',
  EUR: '0978',
  CHF: '0756',
  CAD: '0124',
  AUD: '0036',
  NZD: '0554',
  AED: '0784',
  TRY: '0949',
  PLN: '0985',
  RON: '0946',
  DKK: '0208',
  HKD: '0344',
  ZAR: '0710',
  SEK: '0752',
  NOK: '0578',
  CZK: '0203',
  HUF: '0348',
};

/** Formats an amount for people: `1742, 'GBP'` as `17.42 GBP`. */
export function formatMinor(amountMinor: number, currency: string): string {
  return `${(amountMinor / 100).toFixed(2)} ${currency}`;
}
