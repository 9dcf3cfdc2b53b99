import { toTimestamp } from '../../../protocol/clock.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import { createdWithin } from '../../platform/http/time-window.ts';
import { requiredActionOf, type PaymentSessionRow } from '../payments/payment-session-row.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { RowOf } from '../../platform/store/stored-property.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { Interval } from './subscription-billing.schema.ts';
import type { SubscriptionEventType } from './subscription.machine.ts';
import {
  SUBSCRIPTION,
  type SessionReference,
  type Subscription,
  type SubscriptionEventData,
} from './subscription.schema.ts';

export const subscriptions = storedObjects({ table: 'subscriptions' }, SUBSCRIPTION);

export type SubscriptionRow = RowOf<typeof SUBSCRIPTION>;

/** Some columns of a subscription with their new values. */
export type SubscriptionChange = {
  [K in keyof SubscriptionRow as string extends K ? never : K]?: SubscriptionRow[K];
};

/** The purpose of a subscription's payment session: to verify the card, or to pay a cycle. */
export type SessionPurpose = 'check' | 'cycle';

interface SessionLinkRow extends Row {
  session_id: string;
  subscription_id: string;
  purpose: SessionPurpose;
  cycle: number;
}

/** Returns a subscription as its owner sees it, with the sessions that a front end may have to pay. */
export function toSubscription(
  row: SubscriptionRow,
  sessions: ReadonlyMap<string, PaymentSessionRow>,
): Subscription {
  const reference = (id: string): SessionReference => {
    const session = sessions.get(id);
    const requiredAction = session?.status === 'PendingAction' ? requiredActionOf(session) : undefined;
    return {
      id,
      ...(session && { clientSecret: session.client_secret }),
      ...(requiredAction && { requiredAction }),
    };
  };
  return subscriptions.show(row, {
    paymentSessions: {
      initial: reference(row.initial_session_id),
      latest: reference(row.latest_session_id),
    },
    price: { amount: row.price_minor, currency: row.currency, interval: intervalOf(row) },
    ...(row.paused_ms !== null && {
      pausePaymentDetail: {
        ...(row.pause_reason !== null && { reason: row.pause_reason }),
        ...(row.resume_ms !== null && { resumeAtTimestamp: toTimestamp(row.resume_ms) }),
        pausedAtTimestamp: toTimestamp(row.paused_ms),
      },
    }),
    ...(row.cancelled_ms !== null && {
      cancelDetail: {
        ...(row.cancel_reason !== null && { reason: row.cancel_reason }),
        cancelledAtTimestamp: toTimestamp(row.cancelled_ms),
      },
    }),
    billingDetail: toBillingDetail(row),
  });
}

/** Returns a subscription without the client secrets of its sessions. */
export function toSubscriptionWithoutSecrets(row: SubscriptionRow): Subscription {
  return toSubscription(row, new Map());
}

/** Returns a subscription as its events contain it: without client secrets (Spec §2.2). */
export function toSubscriptionEventData(
  row: SubscriptionRow,
  type: SubscriptionEventType,
): SubscriptionEventData {
  const data = toSubscriptionWithoutSecrets(row);
  if (type !== 'Subscription.created') return data;
  return { ...data, amount: row.price_minor, currency: row.currency };
}

function toBillingDetail(row: SubscriptionRow): Subscription['billingDetail'] {
  return {
    totalCycles: row.interval_times ?? 0,
    currentCycle: row.cycle,
    currentCycleStartTimestamp: toTimestamp(row.cycle_start_ms),
    currentCycleEndTimestamp: toTimestamp(row.cycle_end_ms),
    billingCycleTimestamp: toTimestamp(row.billing_cycle_ms),
    ...(row.next_billing_ms !== null && { nextBillingTimestamp: toTimestamp(row.next_billing_ms) }),
    ...(row.last_error !== null && {
      failureDetail: { paymentAttempts: row.payment_attempts, lastPaymentError: row.last_error },
    }),
  };
}

export function settingsOf(row: SubscriptionRow): Subscription['paymentSettings'] {
  return row.payment_settings === null ? {} : parseJson(row.payment_settings);
}

export function intervalOf(row: SubscriptionRow): Interval {
  const { interval_unit: unit, interval_count: count, interval_times: times } = row;
  return { unit, count, ...(times !== null && { times }) };
}

/** Returns the payment sessions of a subscription. */
export function sessionsOfSubscription(
  subscriptionId: string,
  window: { startTimestamp?: number; endTimestamp?: number },
): PageSource {
  return {
    table: 'payment_sessions',
    owned: {
      where: `id IN (SELECT session_id FROM subscription_sessions WHERE subscription_id = ?)`,
      parameters: [subscriptionId],
    },
    shown: createdWithin(window),
  };
}

/** Returns the subscriptions of a customer that are not over. */
export function listActiveSubscriptions(queries: Queries, customerId: string): Promise<SubscriptionRow[]> {
  return queries.all<SubscriptionRow>(
    `SELECT * FROM subscriptions WHERE customer_id = ? AND status NOT IN ('Cancelled', 'Ended') ORDER BY seq`,
    customerId,
  );
}

/** Locks a subscription, after its customer, and returns it as it is then. */
export function lockSubscription(
  tx: Transaction,
  { id, customer_id: customerId }: Pick<SubscriptionRow, 'id' | 'customer_id'>,
): Promise<SubscriptionRow | undefined> {
  tx.lockRow('customers', customerId);
  tx.lockRow('subscriptions', id);
  return subscriptions.findAny(tx, id);
}

/** Saves every column of a subscription that can change, and returns its row. The transaction has locked it. */
export async function saveSubscription(
  tx: Transaction,
  row: SubscriptionRow,
  nowMs: number,
): Promise<SubscriptionRow> {
  const saved = { ...row, updated_ms: nowMs };
  subscriptions.save(tx, row, saved);
  return saved;
}

export async function linkSessionToSubscription(
  tx: Transaction,
  link: { sessionId: string; subscriptionId: string; purpose: SessionPurpose; cycle: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO subscription_sessions (session_id, subscription_id, purpose, cycle) VALUES (?, ?, ?, ?)`,
    link.sessionId,
    link.subscriptionId,
    link.purpose,
    link.cycle,
  );
}

/** Returns the link between a payment session and its subscription; undefined when the session has none. */
export function findLink(queries: Queries, sessionId: string): Promise<SessionLinkRow | undefined> {
  return queries.get<SessionLinkRow>(`SELECT * FROM subscription_sessions WHERE session_id = ?`, sessionId);
}

/** Locks the subscription of a payment session, if it has one, after its customer. */
export async function lockSubscriptionOf(tx: Transaction, sessionId: string): Promise<void> {
  const found = await tx.get<Pick<SubscriptionRow, 'id' | 'customer_id'>>(
    `SELECT s.id, s.customer_id FROM subscription_sessions l JOIN subscriptions s ON s.id = l.subscription_id
     WHERE l.session_id = ?`,
    sessionId,
  );
  if (found) await lockSubscription(tx, found);
}

/** Returns whether a payment session belongs to a subscription. */
export async function isOfSubscription(queries: Queries, sessionId: string): Promise<boolean> {
  return (await findLink(queries, sessionId)) !== undefined;
}

/** Returns the first and the latest payment session of each of these subscriptions, by id. */
export async function listCurrentSessions(
  queries: Queries,
  rows: readonly SubscriptionRow[],
): Promise<Map<string, PaymentSessionRow>> {
  const ids = [...new Set(rows.flatMap((row) => [row.initial_session_id, row.latest_session_id]))];
  if (ids.length === 0) return new Map();
  const sessions = await queries.all<PaymentSessionRow>(
    `SELECT * FROM payment_sessions WHERE id IN (${ids.map(() => '?').join(', ')})`,
    ...ids,
  );
  return new Map(sessions.map((session) => [session.id, session]));
}
