import { keepCallerAccount } from '../accounts/account.records.ts';
import type { Currency } from '../../../protocol/money.ts';
import type { Caller } from '../../platform/http/auth.ts';
import type { Services } from '../../platform/services.ts';
import { jsonText } from '../../platform/store/json-text.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { createSplits, paymentSettingsOf } from './splits-and-fees.ts';
import type { SessionUpdate } from './payment-session-request.schema.ts';
import {
  detailsOf,
  settingsOf,
  splitsOf,
  type PaymentSessionRow,
  type SessionDetails,
} from './payment-session-row.ts';
import { saveSession } from './payment-session.records.ts';
import {
  refuseEmailChange,
  refuseInPersonUpdate,
  refuseNotOpen,
  refuseReturnUrl,
  refuseTerms,
  refuseInPersonAttempt,
} from './payment-session.rules.ts';
import { findRequestedCustomer, refuseUnlinkedAccounts } from './session-request.ts';
import { withdrawAction } from './settlement.ts';
import type { DeclineCode } from '../../bank/issuer/decline-codes.ts';
import type { Context } from '../../platform/context.ts';

/**
 * Updates a session that is not approved yet. Given members are replaced, others stay (Spec §4.1). Another amount
 * withdraws the required action of the session.
 * @throws Refusal when the updated session would break a rule of the specification.
 */
export async function updateSession(
  tx: Transaction,
  services: Services,
  caller: Caller,
  session: PaymentSessionRow,
  body: SessionUpdate,
): Promise<PaymentSessionRow> {
  const { clock, ids } = services;
  refuseReturnUrl(body.returnUrl);
  refuseNotOpen(session, clock.nowMs());
  refuseInPersonUpdate(session, Object.keys(body));
  refuseEmailChange(session, body.customerEmail);
  if (session.entry_mode !== 'InPerson') await refuseChange(tx, caller, session, body);
  const customer = await findRequestedCustomer(tx, session.account_id, body);
  const splits = body.splits && createSplits(ids, body.splits.items);
  const settings = paymentSettingsOf(body);
  const after: PaymentSessionRow = {
    ...session,
    amount_minor: body.amount ?? session.amount_minor,
    capture_flow: body.captureFlow ?? session.capture_flow,
    platform_fee_minor: body.platformFee ?? session.platform_fee_minor,
    ...(splits && { splits: splits.length > 0 ? jsonText(splits) : null }),
    customer_email: session.customer_email ?? body.customerEmail ?? customer?.email ?? null,
    customer_id: customer?.id ?? session.customer_id,
    details: jsonText(changedDetails(session, body, customer?.id)),
    ...(settings && { payment_settings: jsonText({ ...settingsOf(session), ...settings }) }),
    return_url: body.returnUrl ?? session.return_url,
    metadata: body.metadata ? jsonText(body.metadata) : session.metadata,
  };
  const saved = saveSession(tx, session, after, clock.nowMs());
  const isShown = session.status === 'PendingAction' && saved.amount_minor !== session.amount_minor;
  return isShown ? withdrawAction({ tx, services, session: saved }) : saved;
}

async function refuseChange(
  tx: Transaction,
  caller: Caller,
  session: PaymentSessionRow,
  body: SessionUpdate,
): Promise<void> {
  const { settings } = await keepCallerAccount(tx, session.account_id);
  refuseTerms(
    {
      amountMinor: body.amount ?? session.amount_minor,
      currency: session.currency as Currency,
      captureFlow: body.captureFlow ?? session.capture_flow,
      entryMode: session.entry_mode,
      authorizationType: session.authorization_type,
      verifyAccount: session.verify_account === 1,
      platformFeeMinor: body.platformFee ?? session.platform_fee_minor ?? undefined,
      splits: body.splits?.items ?? splitsOf(session),
      passThroughProcessingFee: detailsOf(session).passThroughProcessingFee ?? false,
    },
    { caller, settings },
  );
  await refuseUnlinkedAccounts(tx, caller, body);
}

function changedDetails(
  session: PaymentSessionRow,
  { customerDetails, shippingDetails, orderDetails }: SessionUpdate,
  customerId: string | undefined,
): SessionDetails {
  const details = detailsOf(session);
  const named = { ...customerDetails, ...(customerId !== undefined && { id: customerId }) };
  return {
    ...details,
    ...(Object.keys(named).length > 0 && { customerDetails: { ...details.customerDetails, ...named } }),
    ...(shippingDetails && { shippingDetails }),
    ...(orderDetails && { orderDetails }),
  };
}

/**
 * Sets the code with which the next attempt to pay a session is declined; undefined for none.
 * @throws Refusal for a session that cannot be attempted.
 */
export async function setNextDecline(
  tx: Transaction,
  { clock }: Context,
  session: PaymentSessionRow,
  code: DeclineCode | undefined,
): Promise<void> {
  refuseInPersonAttempt(session);
  refuseNotOpen(session, clock.nowMs());
  const { declineNext: _before, ...details } = detailsOf(session);
  const changed = jsonText({ ...details, ...(code !== undefined && { declineNext: code }) });
  saveSession(tx, session, { ...session, details: changed }, clock.nowMs());
}
