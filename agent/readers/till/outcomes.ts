import { CURRENCY_NUMBERS, isCurrency } from '../../../protocol/money.ts';
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
