import type { Currency } from '../../../protocol/money.ts';
import type { Services } from '../../platform/services.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { parseSettings } from './account-settings.ts';
import { accounts, savePaidOut, saveProfile, profileOf } from './account.records.ts';
import { applyAccountChange } from './verification.ts';

/** Total of payouts above which an Individual must be verified, minor units of any currency. */
const VERIFY_ABOVE_MINOR = 250_000;

/**
 * Adds a completed payout to the total of an Individual, and requires verification once the total is above the
 * threshold (Spec §2.3; docs/choices.md, Verification). Call it in the transaction that completes the payout.
 */
export async function recordPaidOut(
  tx: Transaction,
  services: Services,
  accountId: string,
  { currency, amountMinor }: { currency: string; amountMinor: number },
): Promise<void> {
  const row = await accounts.findAny(tx, accountId);
  if (row?.entity_type !== 'Individual') return;
  const paidOut = parseJson(row.paid_out);
  const total = (paidOut[currency] ?? 0) + amountMinor;
  await savePaidOut(tx, accountId, { ...paidOut, [currency]: total });
  const { verifyAboveMinor } = parseSettings(row.settings);
  if (total <= (verifyAboveMinor?.[currency as Currency] ?? VERIFY_ABOVE_MINOR)) return;
  await applyAccountChange(tx, services, accountId, async () => {
    const profile = profileOf(row);
    const verification = { ...profile.verification, demanded: true };
    await saveProfile(tx, accountId, { ...profile, verification }, services.clock.nowMs());
  });
}
