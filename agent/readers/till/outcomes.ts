import { CURRENCY_CODES, CURRENCY_NUMBERS, formatMinor, isCurrency } from '../../../protocol/money.ts';
import type { DeviceOutcome } from './language.ts';

/** Returns the outcome of a request that may have charged the card. */
export function unknown(reason: string): DeviceOutcome {
  return { type: 'unknown', reason };
}

/** Returns what a reversal resolves with whose outcome is that of a payment: undefined for an approval, else the reason. */
export function notReversed(outcome: DeviceOutcome): string | undefined {
  if (outcome.type === 'approved') return undefined;
  const reason = 'reason' in outcome ? outcome.reason : 'given up at the terminal';
  return `${reason}: reverse it at the terminal`;
}

/** Returns the ISO 4217 number of a currency, three digits; `999`, which is of none, for an unknown one. */
export function currencyDigits(currency: string): string {
  return isCurrency(currency) ? CURRENCY_NUMBERS[currency].slice(-3) : '999';
}

/** Returns the currency of an ISO 4217 number of three digits; undefined for one that is not accepted here. */
export function currencyOfDigits(digits: string): string | undefined {
  return CURRENCY_CODES.find((code) => currencyDigits(code) === digits);
}

/** Returns an amount in words; the currency may be in another message, or unknown. */
export function amountWords(amountMinor: number, currency: string | undefined): string {
  return currency === undefined
    ? `amount ${amountMinor}, in the smallest unit`
    : formatMinor(amountMinor, currency);
}

/** Returns a text of a terminal without what may be a part of a card number. */
export function withoutLongNumbers(text: string): string {
  return text.replaceAll(/[0-9*](?:[ -]?[0-9*]){6,}/g, '…');
}
