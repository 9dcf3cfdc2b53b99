import { ensureCustomer } from '../customers/customer-service.ts';
import { customers } from '../customers/customer.records.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Context } from '../../platform/context.ts';
import { jsonText } from '../../platform/store/json-text.ts';
import type { Transaction } from '../../platform/store/store.ts';
import type { PaymentSessionRow } from './payment-session-row.ts';
import type { CustomerDetails } from './payment-session.schema.ts';
import { detailsOf } from './session-parts.ts';

/** The customer details of an attempt. */
export interface Payer extends Omit<CustomerDetails, 'id'> {
  email?: string | undefined;
}

/**
 * Returns the session with its customer: the one named by the shop, or the one with the e-mail address, which is
 * created when there is none (Spec §2.2, customerEmail). An address that is set stays (docs/choices.md, Payment sessions).
 * @throws Refusal `email_missing` when neither is given.
 */
export async function withCustomer(
  tx: Transaction,
  services: Context,
  session: PaymentSessionRow,
  payer: Payer | undefined,
): Promise<PaymentSessionRow> {
  const details = detailsOf(session);
  const { email: givenEmail, ...more } = payer ?? {};
  const customerDetails = { ...details.customerDetails, ...more };
  const accountId = session.account_id;
  const attached =
    session.customer_id === null ? undefined : await customers.find(tx, accountId, session.customer_id);
  const email = session.customer_email ?? givenEmail ?? attached?.email;
  if (email === undefined) throw new Refusal('email_missing');
  const { id: _named, ...described } = customerDetails;
  const customer = attached ?? (await ensureCustomer(tx, services, { accountId, email, details: described }));
  return {
    ...session,
    customer_id: customer.id,
    customer_email: email,
    ...(payer && { details: jsonText({ ...details, customerDetails }) }),
  };
}
