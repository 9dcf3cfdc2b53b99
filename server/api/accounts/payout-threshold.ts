import type { Currency } from '../../../protocol/money.ts';
import type { Services } from '../../platform/services.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { findAccountRow, savePaidOut, saveProfile, profileOf } from './account.records.ts';
import { changingAccount } from './verification.ts';

/** What an individual may be paid out, in minor units of any currency, before verification is asked for. */
const VERIFY_ABOVE_MINOR = 250_000;

/**
 * Counts what an account was paid out; an Individual is verified once that is above a threshold (Spec §2.3,
 * docs/choices.md, Verification). To be called in the transaction that completes a payout.
 */
export async function notePaidOut(
  tx: Transaction,
  services: Services,
  accountId: string,
  { currency, amountMinor }: { currency: string; amountMinor: number },
): Promise<void> {
  const row = await findAccountRow(tx, accountId);
  if (row?.entity_type !== 'Individual') return;
  const paidOut = parseJson(row.paid_out);
  const total = (paidOut[currency] ?? 0) + amountMinor;
  await savePaidOut(tx, accountId, { ...paidOut, [currency]: total });
  const { verifyAboveMinor } = parseJson(row.settings);
  if (total <= (verifyAboveMinor?.[currency as Currency] ?? VERIFY_ABOVE_MINOR)) return;
  await changingAccount(tx, services, accountId, async () => {
    const profile = profileOf(row);
    const verification = { ...profile.verification, demanded: true };
    await saveProfile(tx, accountId, { ...profile, verification }, services.clock.nowMs());
  });
}
