import { toTimestamp } from '../../../protocol/clock.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import { createdInOrder, createdWithin } from '../../platform/http/time-window.ts';
import type { PaymentSessionRow } from '../payments/payment-session-row.ts';
import { requiredActionOf } from '../payments/session-parts.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { Interval } from './billing-cycle.ts';
import type { SubscriptionEventType, SubscriptionState, SubscriptionStatus } from './subscription.machine.ts';
import type { SessionReference, Subscription, SubscriptionEventData } from './subscription.schema.ts';

interface Fields {
  id: string;
  account_id: string;
  customer_id: string;
  payment_method_id: string | null;
  status: SubscriptionStatus;
  phase: SubscriptionState;
  description: string | null;
  price_minor: number;
  currency: string;
  interval_unit: Interval['unit'];
  interval_count: number;
  interval_times: number | null;
  balance_minor: number;
  cycle: number;
  cycle_start_ms: number;
  cycle_end_ms: number;
  billing_cycle_ms: number;
  next_billing_ms: number | null;
  payment_attempts: number;
  last_error: string | null;
  pause_reason: string | null;
  paused_ms: number | null;
  resume_ms: number | null;
  cancel_reason: string | null;
  cancelled_ms: number | null;
  initial_session_id: string;
  latest_session_id: string;
  shipping_details: JsonText<NonNullable<Subscription['shippingDetails']>> | null;
  payment_settings: JsonText<Subscription['paymentSettings']> | null;
  metadata: JsonText<Subscription['metadata']>;
  created_ms: number;
  updated_ms: number;
}

export type SubscriptionRow = Row & Fields;

/** Some of the fields of a subscription with their new values. */
export type SubscriptionChange = Partial<Fields>;

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
  return {
    id: row.id,
    status: row.status,
    ...(row.description !== null && { description: row.description }),
    customer: { id: row.customer_id },
    ...(row.payment_method_id !== null && { paymentMethod: { id: row.payment_method_id } }),
    paymentSessions: {
      initial: reference(row.initial_session_id),
      latest: reference(row.latest_session_id),
    },
    price: { amount: row.price_minor, currency: row.currency, interval: intervalOf(row) },
    balance: { amount: row.balance_minor },
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
    ...(row.shipping_details !== null && {
      shippingDetails: parseJson(row.shipping_details),
    }),
    metadata: parseJson(row.metadata),
    paymentSettings: settingsOf(row),
    createdTimestamp: toTimestamp(row.created_ms),
  };
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

export function subscriptionList(
  accountId: string,
  window: { startTimestamp?: number; endTimestamp?: number },
): PageSource {
  const owned = { where: 'account_id = ?', parameters: [accountId] };
  return { table: 'subscriptions', owned, shown: createdInOrder('subscriptions', owned, window) };
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

export function findSubscription(
  queries: Queries,
  accountId: string,
  id: string,
): Promise<SubscriptionRow | undefined> {
  return queries.get<SubscriptionRow>(
    `SELECT * FROM subscriptions WHERE id = ? AND account_id = ?`,
    id,
    accountId,
  );
}

/** Finds a subscription by id alone, for jobs and payments. */
export function findAnySubscription(queries: Queries, id: string): Promise<SubscriptionRow | undefined> {
  return queries.get<SubscriptionRow>(`SELECT * FROM subscriptions WHERE id = ?`, id);
}

/** Returns the subscriptions of a customer that are not over. */
export function listActiveSubscriptions(queries: Queries, customerId: string): Promise<SubscriptionRow[]> {
  return queries.all<SubscriptionRow>(
    `SELECT * FROM subscriptions WHERE customer_id = ? AND status NOT IN ('Cancelled', 'Ended') ORDER BY seq`,
    customerId,
  );
}

const CHANGING = [
  'payment_method_id',
  'status',
  'phase',
  'description',
  'price_minor',
  'interval_unit',
  'interval_count',
  'interval_times',
  'balance_minor',
  'cycle',
  'cycle_start_ms',
  'cycle_end_ms',
  'billing_cycle_ms',
  'next_billing_ms',
  'payment_attempts',
  'last_error',
  'pause_reason',
  'paused_ms',
  'resume_ms',
  'cancel_reason',
  'cancelled_ms',
  'initial_session_id',
  'latest_session_id',
  'shipping_details',
  'payment_settings',
  'metadata',
  'updated_ms',
] as const satisfies (keyof Fields)[];

const COLUMNS = ['id', 'account_id', 'customer_id', 'currency', 'created_ms', ...CHANGING] as const;

const INSERT = `INSERT INTO subscriptions (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`;
const UPDATE = `UPDATE subscriptions SET ${CHANGING.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`;

export async function insertSubscription(tx: Transaction, row: SubscriptionRow): Promise<void> {
  await tx.run(INSERT, ...COLUMNS.map((name) => row[name]));
}

/** Saves every field of a subscription that can change. */
export async function saveSubscription(
  tx: Transaction,
  row: SubscriptionRow,
  nowMs: number,
): Promise<SubscriptionRow> {
  const saved = { ...row, updated_ms: nowMs };
  await tx.run(UPDATE, ...CHANGING.map((name) => saved[name]), row.id);
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
