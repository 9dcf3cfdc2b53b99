import type { AccountSettings } from '../accounts/account-settings.ts';
import { listCreatedWithin } from '../../platform/http/time-window.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { NewOf } from '../../platform/store/stored-property.ts';
import type { Transaction, TransactionOptions } from '../../platform/store/store.ts';
import { setReply } from './payment-session-reply.ts';
import { PAYMENT_SESSION, type PaymentSessionRow } from './payment-session-row.ts';
import type { Context } from '../../platform/context.ts';
import type { PaymentServices } from './payment-services.ts';

export const paymentSessions = storedObjects(
  {
    table: 'payment_sessions',
    compared: ['status', 'amount_minor', 'captured_minor', 'refunded_minor'],
  },
  PAYMENT_SESSION,
);

type SessionParts = NewOf<typeof PAYMENT_SESSION>;

/** What a session is created with. Statement descriptor and return URL default to those of the account's settings. */
type NewPaymentSession = Omit<
  SessionParts,
  'id' | 'clientSecret' | 'statementDescriptor' | 'returnUrl' | 'reply' | 'replyVersion' | 'replyMs'
> & {
  [K in 'statementDescriptor' | 'returnUrl']?: SessionParts[K] | undefined;
};

/** What a new session has besides what it is created with. */
interface SessionOrigin {
  id: string;
  clientSecret: string;
  settings: AccountSettings;
  nowMs: number;
}

export function sessionList(
  accountId: string,
  window: { startTimestamp?: number; endTimestamp?: number },
): PageSource {
  return listCreatedWithin(paymentSessions.listOf(accountId), window);
}

/** Options of a transaction that changes payment sessions. It locks each before it reads it. */
export const PAYMENT_GUARDS = {
  guardedBy: [
    'paymentMoney',
    'chargebackPayer',
    'customerEmail',
    'storedCards',
    'subscriptionBilling',
    'jobClaims',
  ],
} as const satisfies TransactionOptions;

/** Locks a payment session of an account and returns it as it is then. */
export function lockSession(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<PaymentSessionRow | undefined> {
  tx.lockRow('payment_sessions', id);
  return paymentSessions.find(tx, accountId, id);
}

/** Locks a payment session of any account and returns it as it is then. */
export function lockAnySession(tx: Transaction, id: string): Promise<PaymentSessionRow | undefined> {
  tx.lockRow('payment_sessions', id);
  return paymentSessions.findAny(tx, id);
}

/** Locks a payment session that is about to be paid, after the subscription that it pays, and returns it as it is then. */
export async function lockSessionToPay(
  tx: Transaction,
  { subscriptionSessions }: Pick<PaymentServices, 'subscriptionSessions'>,
  { id, payment_type: type }: Pick<PaymentSessionRow, 'id' | 'payment_type'>,
): Promise<PaymentSessionRow | undefined> {
  if (type === 'Recurring') await subscriptionSessions.lockSubscriptionOf(tx, id);
  return lockAnySession(tx, id);
}

/**
 * Writes the row of a payment session, unchanged, for a transaction that adds what belongs to it and changes nothing of
 * itself: transactions that are SERIALIZABLE and have read it before are repeated.
 */
export async function markSessionChanged(tx: Transaction, id: string): Promise<void> {
  await tx.run(`UPDATE payment_sessions SET updated_ms = updated_ms WHERE id = ?`, id);
}

/** Inserts a session and returns its row. */
async function insertSession(
  tx: Transaction,
  { id, clientSecret, settings, nowMs }: SessionOrigin,
  session: NewPaymentSession,
): Promise<PaymentSessionRow> {
  const created = {
    ...session,
    id,
    clientSecret,
    statementDescriptor: session.statementDescriptor ?? settings.statementDescriptor,
    returnUrl: session.returnUrl ?? settings.returnUrl,
  };
  const row = paymentSessions.newRow(created, nowMs);
  setReply(row);
  await paymentSessions.insertRow(tx, row);
  return row;
}

/**
 * Saves a session, which the transaction locked before it read it, and returns its row. With a compare-and-set, so that
 * no money moves twice.
 */
export function saveSession(
  tx: Transaction,
  before: PaymentSessionRow,
  after: PaymentSessionRow,
  nowMs: number,
): PaymentSessionRow {
  const row: PaymentSessionRow = { ...after, updated_ms: nowMs };
  setReply(row);
  paymentSessions.save(tx, before, row);
  return row;
}

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
