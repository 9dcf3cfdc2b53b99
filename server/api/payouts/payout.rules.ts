import { balanceShort } from '../ledger/ledger.ts';
import type { AccountResource } from '../accounts/account.schema.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Payout } from './payout.schema.ts';

/** Returns why an account gets no payouts (Spec §2.3 frozen, §4.6); undefined when it does. */
export function payoutBlockOf({
  frozen,
  verification,
}: Pick<AccountResource, 'frozen' | 'verification'>): 'payout_frozen' | 'payout_unverified' | undefined {
  if (frozen) return 'payout_frozen';
  return verification.status === 'Required' ? 'payout_unverified' : undefined;
}

interface ManualPayoutRequest {
  account: AccountResource;
  method: { status: string; currency: string };
  amountMinor: number;
  currency: string;
  minimumMinor: number;
  availableMinor: number;
}

/**
 * Checks a manual payout (Spec §4.6), its currency and the available balance.
 * @throws Refusal `payouts_not_manual`, `payout_method_invalid`, `payout_too_small`, `payout_frozen`,
 *   `payout_unverified`, `payout_currency` or `balance_short`.
 */
export function refusePayout(request: ManualPayoutRequest): void {
  const { account, method, amountMinor, currency, minimumMinor, availableMinor } = request;
  const manual =
    account.onboardingFlow === 'NonHosted' && account.settings.payouts.schedule.type === 'Manual';
  if (!manual || account.type !== 'Sub') throw new Refusal('payouts_not_manual');
  if (method.status !== 'Valid') throw new Refusal('payout_method_invalid');
  if (amountMinor < minimumMinor) {
    throw new Refusal('payout_too_small', { least: minimumMinor, currency });
  }
  const why = payoutBlockOf(account);
  if (why) throw new Refusal(why);
  if (method.currency !== currency) throw new Refusal('payout_currency', { currency: method.currency });
  if (amountMinor > availableMinor) throw balanceShort(availableMinor, currency);
}

// The most common scheme of each currency (docs/choices.md, Payouts).
const SCHEMES: Record<string, Payout['scheme']> = { GBP: 'Fps', EUR: 'SepaInstant', USD: 'Ach' };

/** Returns the bank transfer scheme for payouts of a currency. */
export function payoutSchemeOf(currency: string): Payout['scheme'] {
  return SCHEMES[currency] ?? 'Swift';
}
