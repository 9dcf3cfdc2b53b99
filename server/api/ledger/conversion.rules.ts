import { CURRENCIES, type Currency } from '../../../protocol/money.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { nextOpening, type Exchange } from './exchange.ts';

/**
 * Refuses the sale of a currency for itself, and an amount outside the limits of one payment (docs/choices.md,
 * Currencies).
 */
export function refuseExchange(
  { sellMinor, sellCurrency, buyCurrency }: Exchange,
  fields: { amount: string; currency: string },
): void {
  if (sellCurrency === buyCurrency) throw new Refusal('same_currency', { field: fields.currency });
  const { minMinor: least, maxMinor: most } = CURRENCIES[sellCurrency];
  if (sellMinor < least || sellMinor > most) {
    throw new Refusal('amount_out_of_range', { field: fields.amount, least, most, currency: sellCurrency });
  }
}

/** Refuses a conversion unless the seller has accepted the terms. */
export function refuseMissingAgreement(termAgreement: boolean): void {
  if (!termAgreement) throw new Refusal('terms_not_agreed');
}

export function refuseShortBalance(availableMinor: number, amountMinor: number, currency: Currency): void {
  if (availableMinor < amountMinor)
    throw new Refusal('balance_short', { available: availableMinor, currency });
}

/** Refuses while the desk is closed, when there are no rates (docs/choices.md, Conversions). */
export function refuseClosed(nowMs: number): void {
  const seconds = Math.ceil((nextOpening(nowMs) - nowMs) / 1000);
  if (seconds > 0) throw new Refusal('desk_closed', { seconds });
}
