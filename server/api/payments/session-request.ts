import { keepCallerAccount, type Account } from '../accounts/account.records.ts';
import { type CustomerRow, customers } from '../customers/customer.records.ts';
import type { Caller } from '../../platform/http/auth.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Context } from '../../platform/context.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import { readInstantInstrument } from './payment-instrument.ts';
import { attemptPayment } from './attempt-payment.ts';
import {
  createSplits,
  feeAllocationOf,
  feePayerIds,
  findUnlinkedAccount,
  paymentSettingsOf,
} from './splits-and-fees.ts';
import type { RebillingRequest, SessionCreation } from './payment-session-request.schema.ts';
import { createSession, lockSessionToPay, paymentSessions } from './payment-session.records.ts';
import type { PaymentSessionRow, SessionDetails } from './payment-session-row.ts';
import { refuseReturnUrl, refuseSeries, refuseTerms, type SessionTerms } from './payment-session.rules.ts';
import type { RebillingDetail } from './payment-session.schema.ts';
import type { PaymentServices } from './payment-services.ts';

/** Members of a request, for a new session or an update, that name other objects. */
interface Named {
  customerId?: string | undefined;
  customerDetails?: { id?: string } | undefined;
  splits?: SessionCreation['splits'];
}

/** Returns the customer that a request names, by either spelling. @throws Refusal `not_found`. */
export async function findRequestedCustomer(
  queries: Queries,
  accountId: string,
  { customerId, customerDetails }: Named,
): Promise<CustomerRow | undefined> {
  const id = customerDetails?.id ?? customerId;
  if (id === undefined) return undefined;
  const customer = await customers.find(queries, accountId, id);
  if (!customer) throw new Refusal('not_found', { what: 'customer' });
  return customer;
}

/** Does the same and locks the customer, so that it is not deleted before what refers to it is stored. */
function lockRequestedCustomer(tx: Transaction, accountId: string, named: Named) {
  const id = named.customerDetails?.id ?? named.customerId;
  if (id !== undefined) tx.lockRow('customers', id);
  return findRequestedCustomer(tx, accountId, named);
}

/**
 * Locks a payment session that a request has found, and returns it as it is then.
 * @throws Refusal `not_found` when it was deleted meanwhile, by a reset or after its retention.
 */
export async function relockSession(
  tx: Transaction,
  services: Pick<PaymentServices, 'subscriptionSessions'>,
  found: PaymentSessionRow,
): Promise<PaymentSessionRow> {
  const session = await lockSessionToPay(tx, services, found);
  if (!session) throw new Refusal('not_found', { what: 'payment session' });
  return session;
}

/** @throws Refusal when a split or a fee names an account that is not linked to the platform. */
export async function refuseUnlinkedAccounts(
  queries: Queries,
  { platformId }: Caller,
  body: { splits?: SessionCreation['splits'] } & Parameters<typeof feeAllocationOf>[0],
): Promise<void> {
  const items = body.splits?.items ?? [];
  const splitIds = items.map(({ accountId }) => accountId);
  const unlinked = await findUnlinkedAccount(queries, platformId, splitIds);
  if (unlinked !== undefined) throw new Refusal('split_account', { index: splitIds.indexOf(unlinked) });
  const payers = feePayerIds(feeAllocationOf(body));
  if (await findUnlinkedAccount(queries, platformId, payers)) throw new Refusal('fee_account');
}

/**
 * Creates a session from a request, and attempts its payment when `attemptPayment` is given (Spec §2.2).
 * @throws Refusal when a rule of the specification is broken.
 */
export async function createSessionFromRequest(
  tx: Transaction,
  services: PaymentServices,
  caller: Caller,
  body: SessionCreation,
): Promise<PaymentSessionRow> {
  const account = await keepCallerAccount(tx, caller.accountId);
  const terms = termsOf(body);
  refuseReturnUrl(body.returnUrl);
  refuseTerms(terms, { caller, settings: account.settings });
  await refuseUnlinkedAccounts(tx, caller, body);
  const customer = await lockRequestedCustomer(tx, account.id, body);
  const instrument = body.attemptPayment && readInstantInstrument(body.attemptPayment);
  if (instrument?.kind === 'token' && !customer) throw new Refusal('customer_unnamed');
  const previousSessionId = await previousOf(tx, account, body, customer?.id);
  const session = await createCheckedSession(tx, services, account, {
    body,
    terms,
    customer,
    previousSessionId,
  });
  if (!instrument) return session;
  tx.lockRow('payment_sessions', session.id);
  return attemptPayment(tx, services, session, { instrument, store: false, channel: 'Browser' });
}

function termsOf(body: SessionCreation): SessionTerms {
  const verifyAccount = body.verifyAccount ?? false;
  return {
    amountMinor: body.amount,
    currency: body.currency,
    captureFlow: body.captureFlow ?? (verifyAccount ? 'Manual' : 'Automatic'),
    entryMode: body.paymentType === 'MOTO' ? 'MOTO' : (body.entryMode ?? 'Online'),
    authorizationType: body.authorizationType ?? 'FinalAuth',
    verifyAccount,
    platformFeeMinor: body.platformFee,
    splits: body.splits?.items ?? [],
    passThroughProcessingFee: body.passThroughProcessingFee ?? false,
  };
}

async function previousOf(
  tx: Transaction,
  account: Account,
  body: SessionCreation,
  customerId: string | undefined,
): Promise<string | undefined> {
  if (!body.previousPayment) return undefined;
  const earlier = await paymentSessions.find(tx, account.id, body.previousPayment.id);
  if (!earlier) throw new Refusal('not_found', { what: 'previous payment' });
  refuseSeries(earlier, { currency: body.currency, paymentType: typeOf(body), customerId });
  return earlier.id;
}

/** Returns the payment type of a new session. */
function typeOf({ paymentType = 'Standard' }: SessionCreation): PaymentSessionRow['payment_type'] {
  return paymentType === 'MOTO' ? 'Standard' : paymentType;
}

interface CheckedRequest {
  body: SessionCreation;
  terms: SessionTerms;
  customer: CustomerRow | undefined;
  previousSessionId: string | undefined;
}

function createCheckedSession(
  tx: Transaction,
  services: Context,
  account: Account,
  { body, terms, customer, previousSessionId }: CheckedRequest,
): Promise<PaymentSessionRow> {
  return createSession(tx, services, account.settings, {
    amount: terms.amountMinor,
    currency: terms.currency,
    captureFlow: terms.captureFlow,
    entryMode: terms.entryMode,
    authorizationType: terms.authorizationType,
    verifyAccount: terms.verifyAccount,
    platformFee: terms.platformFeeMinor,
    splits: terms.splits.length > 0 ? createSplits(services.ids, terms.splits) : undefined,
    previousSessionId,
    accountId: account.id,
    paymentType: typeOf(body),
    customerId: customer?.id,
    customerEmail: body.customerEmail ?? customer?.email,
    statementDescriptor: body.statementDescriptor,
    returnUrl: body.returnUrl,
    paymentSettings: paymentSettingsOf(body),
    metadata: body.metadata,
    details: detailsFrom(body, customer?.id),
  });
}

function detailsFrom(body: SessionCreation, customerId: string | undefined): SessionDetails {
  const { customerDetails, shippingDetails, orderDetails, rebillingDetail } = body;
  const named = customerDetails || customerId !== undefined;
  return {
    ...(named && {
      customerDetails: { ...customerDetails, ...(customerId !== undefined && { id: customerId }) },
    }),
    ...(body.passThroughProcessingFee && { passThroughProcessingFee: true }),
    ...(body.authenticationParameters && { authenticatedElsewhere: true }),
    ...(shippingDetails && { shippingDetails }),
    ...(orderDetails && { orderDetails }),
    ...(rebillingDetail && { rebillingDetail: rebilling(rebillingDetail) }),
  };
}

function rebilling({ amountVariance, amountVeriance, ...rest }: RebillingRequest): RebillingDetail {
  const variance = amountVariance ?? amountVeriance;
  if (!variance)
    throw new Refusal('invalid_field', { field: 'rebillingDetail.amountVariance', problem: 'is required' });
  return { amountVariance: variance, ...rest };
}
