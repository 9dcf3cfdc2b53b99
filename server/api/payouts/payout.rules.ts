import { formatMinor } from '../../../protocol/money.ts';
import type { AccountShown } from '../accounts/account.schema.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Payout } from './payout.schema.ts';

/** What stands against any payout of an account: Spec §2.3 (frozen), §4.6. */
export function whyNotPaid({
  frozen,
  verification,
}: Pick<AccountShown, 'frozen' | 'verification'>): 'payout_frozen' | 'payout_unverified' | undefined {
  if (frozen) return 'payout_frozen';
  return verification.status === 'Required' ? 'payout_unverified' : undefined;
}

interface AskedPayout {
  account: AccountShown;
  method: { status: string; currency: string };
  amountMinor: number;
  currency: string;
  minimumMinor: number;
  availableMinor: number;
}

/** The rules of a manual payout (Spec §4.6), and that the money is there in the currency of the bank account. */
export function refusePayout(asked: AskedPayout): void {
  const { account, method, amountMinor, currency, minimumMinor, availableMinor } = asked;
  const manual =
    account.onboardingFlow === 'NonHosted' && account.settings.payouts.schedule.type === 'Manual';
  if (!manual || account.type !== 'Sub') throw new Refusal('payouts_not_manual');
  if (method.status !== 'Valid') throw new Refusal('payout_method_invalid');
  if (amountMinor < minimumMinor) {
    throw new Refusal('payout_too_small', { least: formatMinor(minimumMinor, currency) });
  }
  const why = whyNotPaid(account);
  if (why) throw new Refusal(why);
  if (method.currency !== currency) throw new Refusal('payout_currency', { currency: method.currency });
  if (amountMinor > availableMinor) {
    throw new Refusal('balance_short', { available: formatMinor(availableMinor, currency), currency });
  }
}

// By the widest-used way of each currency (docs/choices.md, Payouts).
const SCHEMES: Record<string, Payout['scheme']> = { GBP: 'Fps', EUR: 'SepaInstant', USD: 'Ach' };

export function schemeOf(currency: string): Payout['scheme'] {
  return SCHEMES[currency] ?? 'Swift';
}
