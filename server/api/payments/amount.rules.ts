import { CURRENCIES, type Currency } from '../../../protocol/money.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { SplitRequest } from './split.schema.ts';

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

interface SplitTerms {
  items: SplitRequest['items'];
  /** Amount that is split, in minor units. */
  amountMinor: number;
  platformFeeMinor: number | undefined;
  passThroughProcessingFee: boolean;
  caller: { accountId: string; platformId: string };
}

/** Only a platform splits a payment, of its own account and without a platform fee (Spec §2.2, splits). */
export function refuseSplits(terms: SplitTerms): void {
  const { items, amountMinor, caller } = terms;
  if (items.length === 0) return;
  const conflict = conflictOf(terms);
  if (conflict) throw new Refusal('splits_not_allowed', { what: conflict });
  const whole = items.reduce((sum, { amount }) => sum + amount, 0);
  if (whole > amountMinor) throw new Refusal('splits_too_large', { amount: amountMinor });
  const index = items.findIndex(({ amount, fee }) => (fee?.amount ?? 0) > amount);
  if (index >= 0) throw new Refusal('split_fee_too_large', { index });
  const own = items.findIndex(({ accountId }) => accountId === caller.platformId);
  if (own >= 0) throw new Refusal('split_account', { index: own });
}

function conflictOf({ platformFeeMinor, passThroughProcessingFee, caller }: SplitTerms): string | undefined {
  if (platformFeeMinor !== undefined) return 'platformFee';
  if (passThroughProcessingFee) return 'passThroughProcessingFee';
  if (caller.accountId !== caller.platformId) return 'the Account header of a sub account';
  return undefined;
}
