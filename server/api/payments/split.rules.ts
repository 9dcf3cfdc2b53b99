import { Refusal } from '../../platform/http/refusals.ts';
import type { SplitRequest } from './split.schema.ts';

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
