import { CURRENCIES, type Currency } from '../../../protocol/money.ts';
import { Refusal } from '../../platform/http/refusals.ts';

/** @throws Refusal unless the account accepts the currency and the amount is within its limits (Spec §2.1). */
export function refuseAmount(
  amountMinor: number,
  currency: Currency,
  allowed: readonly Currency[],
  field: string,
): void {
  refuseCurrency(currency, allowed);
  const { minMinor: least, maxMinor: most } = CURRENCIES[currency];
  if (amountMinor < least || amountMinor > most) {
    throw new Refusal('amount_out_of_range', { field, least, most, currency });
  }
}

export function refuseCurrency(currency: Currency, allowed: readonly Currency[]): void {
  if (!allowed.includes(currency)) throw new Refusal('currency_disabled', { allowed: allowed.join(', ') });
}

/** @throws Refusal for a platform fee on a payment of the platform itself, or above the amount (Spec §2.2). */
export function refusePlatformFee(
  feeMinor: number | undefined,
  amountMinor: number,
  caller: { accountId: string; platformId: string },
  field: string,
): void {
  if (feeMinor === undefined) return;
  if (caller.accountId === caller.platformId) throw new Refusal('fee_without_account', { field });
  if (feeMinor > amountMinor) throw new Refusal('fee_too_large', { field });
}
