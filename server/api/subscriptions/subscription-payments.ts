import { findCardToken, storeCardToken, type CardToken } from '../customers/card-tokens.ts';
import { chargeSession, createOnlineSession } from '../payments/attempt.ts';
import {
  paymentMethodOf,
  sessionStateOf,
  UNPAID,
  type PaymentSessionRow,
} from '../payments/payment-session-row.ts';
import { lockSession, paymentSessions, saveSession } from '../payments/payment-session.records.ts';
import type { Context } from '../../platform/context.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import type { SubscriptionEvent } from './subscription.machine.ts';
import {
  linkSessionToSubscription,
  settingsOf,
  type SessionPurpose,
  type SubscriptionRow,
} from './subscription.records.ts';
import type { PaymentServices } from '../payments/payment-services.ts';

/** Returns a stored card of a customer; undefined for another customer's card, a single-use token or a deleted one. */
export async function findStoredCard(
  queries: Queries,
  accountId: string,
  customerId: string,
  paymentMethodId: string,
): Promise<CardToken | undefined> {
  const card = await findCardToken(queries, accountId, paymentMethodId);
  return card?.stored && card.customerId === customerId ? card : undefined;
}

/** Returns the card that a subscription is charged to; undefined when it has none or it was deleted. */
export async function chargeableCard(queries: Queries, row: SubscriptionRow): Promise<CardToken | undefined> {
  const { payment_method_id: methodId } = row;
  return methodId === null ? undefined : findStoredCard(queries, row.account_id, row.customer_id, methodId);
}

/**
 * Charges the stored card the balance due, or the price of the new cycle; returns the resulting event. An open session
 * for that amount is reused, so that it cannot be paid twice.
 */
export async function charge(
  tx: Transaction,
  services: PaymentServices,
  row: SubscriptionRow,
): Promise<{ row: SubscriptionRow; event: SubscriptionEvent }> {
  const open = await findOpenSession(tx, services, row);
  const opened = open ? { row, session: open } : await addSession(tx, services, row, 'cycle');
  const { id } = opened.session;
  const session = await chargeSession(tx, services, opened.session, {
    paymentMethodId: row.payment_method_id!,
    subscriptionId: row.id,
  });
  const event: SubscriptionEvent =
    session.status === 'Captured'
      ? { type: 'payment.succeeded' }
      : { type: 'payment.failed', code: session.last_error ?? 'unknown_error' };
  return { row: { ...opened.row, initial_session_id: await firstPaymentId(tx, opened.row, id) }, event };
}

/** Opens a session in which a front end pays a cycle, or verifies the card for later cycles. */
export async function createSubscriptionSession(
  tx: Transaction,
  services: Context,
  row: SubscriptionRow,
  purpose: SessionPurpose,
): Promise<SubscriptionRow> {
  return (await addSession(tx, services, row, purpose)).row;
}

async function addSession(
  tx: Transaction,
  services: Context,
  row: SubscriptionRow,
  purpose: SessionPurpose,
): Promise<{ row: SubscriptionRow; session: PaymentSessionRow }> {
  const { account_id: accountId, customer_id: customerId, currency, shipping_details: shipping } = row;
  const first = await firstPayment(tx, row);
  const session = await createOnlineSession(tx, services, {
    accountId,
    customerId,
    currency,
    amountMinor: purpose === 'check' ? 0 : amountDue(row),
    verifyAccount: purpose === 'check',
    paymentType: 'Recurring',
    previousSessionId: first?.id,
    statementDescriptor: settingsOf(row).statementDescriptor,
    shippingDetails: shipping === null ? undefined : parseJson(shipping),
    metadata: parseJson(row.metadata),
  });
  const { id } = session;
  tx.lockRow('payment_sessions', id);
  await linkSessionToSubscription(tx, {
    sessionId: id,
    subscriptionId: row.id,
    purpose,
    cycle: Math.max(1, row.cycle),
  });
  const opened = { ...row, latest_session_id: id, initial_session_id: first?.id ?? id };
  return { row: opened, session };
}

/** Returns the latest session when it is open and its amount is the amount due. */
async function findOpenSession(
  tx: Transaction,
  services: Context,
  row: SubscriptionRow,
): Promise<PaymentSessionRow | undefined> {
  const session = await lockSession(tx, row.account_id, row.latest_session_id);
  if (!session || session.amount_minor !== amountDue(row)) return undefined;
  const { phase } = sessionStateOf(session, services.clock.nowMs());
  // An attempt ends the authentication of the one before.
  return UNPAID.includes(phase) ? session : undefined;
}

/**
 * Returns the subscription after a front end has paid one of its sessions: later charges use the card of that payment.
 */
export async function recordSessionPayment(
  tx: Transaction,
  services: Context,
  row: SubscriptionRow,
  session: PaymentSessionRow,
  purpose: SessionPurpose,
): Promise<SubscriptionRow> {
  const cardId = paymentMethodOf(session)?.tokenizedDetails?.id;
  if (cardId !== undefined) {
    const { account_id: accountId, customer_id: customerId } = row;
    await storeCardToken(tx, services, { accountId, customerId, paymentMethodId: cardId });
  }
  return {
    ...row,
    payment_method_id: cardId ?? row.payment_method_id,
    // A verification is not a payment: the open session stays the latest.
    latest_session_id: purpose === 'check' ? row.latest_session_id : session.id,
    initial_session_id: await firstPaymentId(tx, row, session.id),
  };
}

/** Updates an open session to the current price. A session that is being paid keeps its amount. */
export async function repriceOpenSession(
  tx: Transaction,
  services: Context,
  row: SubscriptionRow,
): Promise<void> {
  const session = await lockSession(tx, row.account_id, row.latest_session_id);
  if (session?.status !== 'PendingPayment' || session.verify_account === 1) return;
  saveSession(tx, session, { ...session, amount_minor: amountDue(row) }, services.clock.nowMs());
}

function amountDue(row: SubscriptionRow): number {
  return row.balance_minor > 0 ? row.balance_minor : row.price_minor;
}

/** Returns the id of the first payment of the series: this session, unless there is an earlier one. */
async function firstPaymentId(queries: Queries, row: SubscriptionRow, sessionId: string): Promise<string> {
  return (await firstPayment(queries, row))?.id ?? sessionId;
}

/** Returns the first payment of the series, or the first verification of its card, once it was approved. */
async function firstPayment(queries: Queries, row: SubscriptionRow): Promise<PaymentSessionRow | undefined> {
  const session = await paymentSessions.find(queries, row.account_id, row.initial_session_id);
  return session?.status === 'Approved' || session?.status === 'Captured' ? session : undefined;
}
