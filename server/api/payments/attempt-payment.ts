import { keepCallerAccount } from '../accounts/account.records.ts';
import { storeCardToken } from '../customers/card-tokens.ts';
import { bankFails } from '../../bank/bank-faults.ts';
import { declineOfAmount, DECLINED_BY_FAULT } from '../../bank/issuer/issuer.ts';
import { authenticationOf, withPreference } from '../../bank/issuer/test-cards.ts';
import type { Card } from '../../bank/issuer/card.ts';
import type { DeclineCode } from '../../bank/issuer/decline-codes.ts';
import type { Authentication } from '../../../protocol/test-cards.ts';
import type { Services } from '../../platform/services.ts';
import { jsonText } from '../../platform/store/json-text.ts';
import type { Transaction } from '../../platform/store/store.ts';
import {
  startsWithChallenge,
  challengeAction,
  identifyAction,
  redirectAction,
  startRun,
} from '../../bank/three-ds/three-ds.ts';
import type { Channel } from '../../bank/three-ds/three-ds.records.ts';
import { credentialUsageOf, isMerchantInitiated, refuseUnstored, storesCard } from './card-usage.ts';
import {
  detailsOf,
  paymentMethodOf,
  requiredActionOf,
  settingsOf,
  type PaymentSessionRow,
} from './payment-session-row.ts';
import { refuseInPersonAttempt, refuseNotOpen } from './payment-session.rules.ts';
import type { PaymentMethod } from './payment-method-details.schema.ts';
import { approve, capture, decline, requireAction, fullCapture } from './settlement.ts';
import type { PaymentContext } from './session-events.ts';
import type { ShippingDetails } from './order.schema.ts';
import { tokenise, type PaymentInstrument } from './tokenise.ts';
import type { Address } from '../customers/address.schema.ts';
import type { PaymentServices } from './payment-services.ts';
import { ensureCustomer } from '../customers/customer-service.ts';
import { customers } from '../customers/customer.records.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Context } from '../../platform/context.ts';
import type { CustomerDetails } from './payment-session.schema.ts';

export interface Attempt {
  instrument: PaymentInstrument;
  /** Whether the card is stored for the customer once the payment is approved. */
  store: boolean;
  channel: Channel;
  /** Whether the shop authenticated the cardholder with a provider of its own. */
  authenticatedElsewhere?: boolean;
  /** Id of the subscription for which the server charges a stored card by itself. */
  subscriptionId?: string;
  payer?: Payer | undefined;
  billingAddress?: Address | undefined;
  shippingDetails?: ShippingDetails | undefined;
}

interface AttemptContext extends PaymentContext {
  services: PaymentContext['services'] & Pick<Services, 'settings' | 'faults'>;
  subscriptionId?: string | undefined;
}

/**
 * Attempts to pay a session with a card, a wallet or a token (docs/choices.md, Attempts). The returned session is
 * approved, declined or requires an action. A decline is an outcome, not a refusal.
 * @throws Refusal when the session cannot be paid, or not with this payment instrument.
 */
export async function attemptPayment(
  tx: Transaction,
  services: PaymentServices,
  session: PaymentSessionRow,
  attempt: Attempt,
): Promise<PaymentSessionRow> {
  refuseInPersonAttempt(session);
  refuseNotOpen(session, services.clock.nowMs());
  const { instrument, shippingDetails } = attempt;
  // Apps complete an authentication by an attempt with the token of the `Identify` action.
  if (instrument.kind === 'token' && instrument.paymentMethodId === tokenOfIdentify(session)) {
    return settleAuthenticated(tx, services, session, true);
  }
  await refuseUnstored(tx, services, session, attempt);
  const paid = withShipping(await withCustomer(tx, services, session, attempt.payer), shippingDetails);
  const { subscriptionId } = attempt;
  const unattended = subscriptionId !== undefined;
  const context: AttemptContext = { tx, services, session: paid, unattended, subscriptionId };
  const tokenised = await tokenise(context, attempt.instrument, attempt.billingAddress);
  if (!tokenised) return decline(context, undefined, 'invalid_card_number');
  const { card, paymentMethod, isStored } = tokenised;
  const usage = credentialUsageOf(paid, { stored: isStored, store: attempt.store });
  const { credentialOnFileUsage: _before, declineNext, ...described } = detailsOf(paid);
  const code = declineNext ?? tokenised.code;
  const details = { ...described, ...(usage && { credentialOnFileUsage: usage }) };
  context.session = { ...paid, details: jsonText(details) };
  if (code !== undefined) return decline(context, paymentMethod, code);
  const authentication = authenticationFor(paid, card, attempt);
  if (authentication === 'frictionless') {
    return decideAmount(context, paymentMethod, attempt.store && !isStored);
  }
  const { channel } = attempt;
  const run = await startRun(tx, services, paid.id, { channel, authentication });
  const named = { scheme: card.scheme, paymentMethodId: paymentMethod.tokenizedDetails!.id };
  const { settings } = await keepCallerAccount(tx, paid.account_id);
  const action =
    settings.threeDsRedirect && channel === 'Browser'
      ? redirectAction(services, run)
      : startsWithChallenge(authentication, channel)
        ? challengeAction(services, run)
        : identifyAction(services, run, named);
  return requireAction(context, { action, paymentMethod, runId: run.id });
}

/** Continues a payment after 3DS: decides about the amount, or declines when the cardholder is not authenticated. */
export async function settleAuthenticated(
  tx: Transaction,
  services: Services,
  session: PaymentSessionRow,
  authenticated: boolean,
): Promise<PaymentSessionRow> {
  const context = { tx, services, session };
  const paymentMethod = paymentMethodOf(session)!;
  if (!authenticated) return decline(context, paymentMethod, '3ds_authentication_failure');
  return decideAmount(context, paymentMethod);
}

function tokenOfIdentify(session: PaymentSessionRow): string | undefined {
  const action = session.status === 'PendingAction' ? requiredActionOf(session) : undefined;
  return action?.type === 'Identify' ? action.identify.paymentMethodId : undefined;
}

function withShipping(
  session: PaymentSessionRow,
  shippingDetails: ShippingDetails | undefined,
): PaymentSessionRow {
  if (!shippingDetails) return session;
  return { ...session, details: jsonText({ ...detailsOf(session), shippingDetails }) };
}

/** Returns how the issuer authenticates the cardholder: by a challenge where the bank has asked for that. */
function authenticationFor(
  session: PaymentSessionRow,
  card: Card,
  { instrument, authenticatedElsewhere, subscriptionId }: Attempt,
): Authentication {
  if (authenticatedElsewhere || subscriptionId !== undefined) return 'frictionless';
  const isAsked = detailsOf(session).authenticateCard !== undefined && instrument.kind !== 'wallet';
  if (isAsked) return withPreference(authenticationOf(card), 'ChallengeRequested');
  if (!needsAuthentication(session, instrument)) return 'frictionless';
  return withPreference(authenticationOf(card), settingsOf(session).threeDs?.challengeIndicator);
}

/** Returns whether 3DS applies: not to wallets and tokens, nor without the cardholder (docs/choices.md, 3DS). */
function needsAuthentication(session: PaymentSessionRow, instrument: PaymentInstrument): boolean {
  const elsewhere = detailsOf(session).authenticatedElsewhere === true;
  return (
    instrument.kind === 'card' &&
    session.entry_mode === 'Online' &&
    !elsewhere &&
    !isMerchantInitiated(session)
  );
}

/** Approves or declines the amount. An approved payment with `captureFlow` Automatic is captured at once. */
async function decideAmount(
  context: AttemptContext,
  paymentMethod: PaymentMethod,
  store = false,
): Promise<PaymentSessionRow> {
  const { services, session } = context;
  const code =
    declineOfAmount(session.amount_minor, services.settings) ??
    declineOfRenewal(context, paymentMethod) ??
    declineByFault(context);
  if (code !== undefined) return decline(context, paymentMethod, code);
  const approved = await approve(context, await storeIfRequested(context, paymentMethod, store));
  if (approved.capture_flow === 'Manual') return approved;
  return (await capture({ ...context, session: approved }, fullCapture(approved))).session;
}

function declineByFault({ tx, services, session }: AttemptContext): string | undefined {
  const isStruck = bankFails(tx, services, { at: 'bank.authorisation', ids: [session.id] });
  return isStruck ? DECLINED_BY_FAULT : undefined;
}

/** The decline of a later cycle whose cardholder has to authenticate, which the session keeps; undefined for no such decline. */
function declineOfRenewal(
  context: AttemptContext,
  { tokenizedDetails }: PaymentMethod,
): DeclineCode | undefined {
  const { tx, services, session, subscriptionId } = context;
  if (subscriptionId === undefined || !isMerchantInitiated(session)) return undefined;
  const cardId = tokenizedDetails!.id;
  const details = detailsOf(session);
  if (details.authenticateCard !== cardId) {
    if (!bankFails(tx, services, { at: 'bank.renewal', ids: [session.id, subscriptionId] })) return undefined;
    context.session = { ...session, details: jsonText({ ...details, authenticateCard: cardId }) };
  }
  return '3ds_authentication_required';
}

async function storeIfRequested(
  { tx, services, session }: PaymentContext,
  method: PaymentMethod,
  store: boolean,
): Promise<PaymentMethod> {
  if (!store && !storesCard(detailsOf(session).credentialOnFileUsage)) return method;
  const { id } = method.tokenizedDetails!;
  const token = { accountId: session.account_id, paymentMethodId: id, customerId: session.customer_id! };
  await storeCardToken(tx, services, token);
  return { ...method, tokenizedDetails: { id, stored: true } };
}

/** The customer details of an attempt. */
interface Payer extends Omit<CustomerDetails, 'id'> {
  email?: string | undefined;
}

/**
 * Returns the session with its customer: the one named by the shop, or the one with the e-mail address, which is
 * created when there is none (Spec §2.2, customerEmail). An address that is set stays (docs/choices.md, Payment sessions).
 * @throws Refusal `email_missing` when neither is given.
 */
async function withCustomer(
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
