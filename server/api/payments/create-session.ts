import type { AccountSettings } from '../accounts/account-settings.ts';
import type { Context } from '../../platform/context.ts';
import type { Transaction } from '../../platform/store/store.ts';
import type { PaymentSessionRow } from './payment-session-row.ts';
import { insertSession, type NewPaymentSession } from './payment-session.records.ts';

/** Creates a payment session with a new id and client secret. The caller has checked the rules. */
export function createSession(
  tx: Transaction,
  { clock, ids }: Context,
  settings: AccountSettings,
  input: NewPaymentSession,
): Promise<PaymentSessionRow> {
  const id = ids.make('paymentSession');
  const clientSecret = `${id}_secret_${ids.uuid()}`;
  return insertSession(tx, { id, clientSecret, settings, nowMs: clock.nowMs() }, input);
}
