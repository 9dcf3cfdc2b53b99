import type { AccountSettings } from '../accounts/account.records.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import type { PaymentSessionRow } from './payment-session-row.ts';
import { insertSession, type NewPaymentSession } from './payment-session.records.ts';

/** Input of a new session. Statement descriptor and return URL default to the account's settings. */
type NewSessionInput = Omit<
  NewPaymentSession,
  'id' | 'clientSecret' | 'statementDescriptor' | 'returnUrl'
> & {
  statementDescriptor?: NewPaymentSession['statementDescriptor'] | undefined;
  returnUrl?: string | undefined;
};

/** Creates a payment session with a new id and client secret. The caller has checked the rules. */
export function createSession(
  tx: Transaction,
  { clock, ids }: Services,
  settings: AccountSettings,
  input: NewSessionInput,
): Promise<PaymentSessionRow> {
  const id = ids.make('paymentSession');
  const session: NewPaymentSession = {
    ...input,
    id,
    clientSecret: `${id}_secret_${ids.uuid()}`,
    statementDescriptor: input.statementDescriptor ?? settings.statementDescriptor,
    returnUrl: input.returnUrl ?? settings.returnUrl,
  };
  return insertSession(tx, session, clock.nowMs());
}
