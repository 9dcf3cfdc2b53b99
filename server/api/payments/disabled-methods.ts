import { disabledSchemesOf } from '../accounts/account-profile.ts';
import { readAccount } from '../accounts/account-reading.ts';
import type { Transaction } from '../../platform/store/store.ts';
import type { PaymentSessionRow } from './payment-session.records.ts';
import { settingsOf } from './session-parts.ts';

/**
 * Schemes and wallets that a payment is not taken with: those that it says, and schemes for which its account has
 * no capability (docs/choices.md, Disabled schemes, Capabilities).
 */
export async function disabledOf(tx: Transaction, session: PaymentSessionRow): Promise<string[]> {
  const account = (await readAccount(tx, session.account_id))!;
  return [...(settingsOf(session).paymentMethodOptions?.disabled ?? []), ...disabledSchemesOf(account)];
}
