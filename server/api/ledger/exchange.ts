import type { Currency } from '../../../protocol/money.ts';
import { dayOf, isBusinessDay, midnightOf, nextBusinessDay } from './business-days.ts';

/**
 * Units of each currency for one euro, in millionths. Fixed: a sandbox has no market (docs/choices.md, Conversions).
 */
const PER_EURO_MILLIONTHS: Record<Currency, number> = {
  GBP: 865_000,
  USD: 1_160_000,
  EUR: 1_000_000,
  CHF: 940_000,
  CAD: 1_600_000,
  AUD: 1_780_000,
  NZD: 1_980_000,
  AED: 4_260_000,
  TRY: 47_500_000,
  PLN: 4_260_000,
  RON: 5_070_000,
  DKK: 7_465_000,
  HKD: 9_070_000,
  ZAR: 20_700_000,
  SEK: 11_100_000,
  NOK: 11_800_000,
  CZK: 24_500_000,
  HUF: 397_000_000,
};

// Half a percent of the bought amount.
const FEE_BASIS_POINTS = 50n;

export interface Exchange {
  sellMinor: number;
  sellCurrency: Currency;
  buyCurrency: Currency;
}

/** The result of a conversion, minor units of the bought currency: `buyMinor` is the amount after the fee. */
interface ConversionQuote {
  rateMillionths: number;
  buyMinor: number;
  feeMinor: number;
}

/** Prices an exchange. Every currency here has two decimals, so the rate of units is also the rate of minor units. */
export function quoteConversion({ sellMinor, sellCurrency, buyCurrency }: Exchange): ConversionQuote {
  const rateMillionths = Math.round(
    (PER_EURO_MILLIONTHS[buyCurrency] * 1_000_000) / PER_EURO_MILLIONTHS[sellCurrency],
  );
  // The product exceeds what a double holds exactly. Halves are rounded up.
  const gross = (BigInt(sellMinor) * BigInt(rateMillionths) + 500_000n) / 1_000_000n;
  const fee = (gross * FEE_BASIS_POINTS + 5_000n) / 10_000n;
  return { rateMillionths, buyMinor: Number(gross - fee), feeMinor: Number(fee) };
}

const minutes = (hour: number, minute = 0) => (hour * 60 + minute) * 60_000;

/** The time of a business day, UTC, until which an exchange of a currency is settled on the same day. */
const CUT_OFFS: Partial<Record<Currency, number>> = {
  CZK: minutes(7),
  HUF: minutes(7),
  RON: minutes(7),
  PLN: minutes(7, 30),
  TRY: minutes(7, 30),
  DKK: minutes(8, 30),
  NOK: minutes(8, 30),
  ZAR: minutes(8, 30),
  SEK: minutes(8, 30),
  CAD: minutes(15, 20),
};
const CUT_OFF = minutes(14);

// After the last cut-off of the day.
const SETTLED_AT_MS = minutes(16);

/**
 * Returns when an exchange priced at `atMs` is settled: on the same day before both cut-offs, else on the next
 * business day.
 */
export function settlementTimeOf(
  { sellCurrency, buyCurrency }: Omit<Exchange, 'sellMinor'>,
  atMs: number,
): number {
  const cutOffMs = Math.min(CUT_OFFS[sellCurrency] ?? CUT_OFF, CUT_OFFS[buyCurrency] ?? CUT_OFF);
  const today = isBusinessDay(atMs) && atMs < midnightOf(atMs) + cutOffMs;
  return (today ? midnightOf(atMs) : nextBusinessDay(atMs)) + SETTLED_AT_MS;
}

/** Returns the day of settlement, yyyy-MM-dd. */
export function settlementDateOf(exchange: Omit<Exchange, 'sellMinor'>, atMs: number): string {
  return dayOf(settlementTimeOf(exchange, atMs));
}

// The exchange is closed for a minute and a half every day: it returns no rates and prices no conversions.
const CLOSES_AT_MS = minutes(22);
const CLOSED_MS = 90_000;

/** Returns the first instant from `atMs` on at which the desk is open. */
export function nextOpening(atMs: number): number {
  const closesMs = midnightOf(atMs) + CLOSES_AT_MS;
  const closed = atMs >= closesMs && atMs < closesMs + CLOSED_MS;
  return closed ? closesMs + CLOSED_MS : atMs;
}
