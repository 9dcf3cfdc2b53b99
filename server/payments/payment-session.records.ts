import { toTimestamp } from '../../protocol/clock.ts';
import type { Queries, Row, Transaction } from '../store/store.ts';
import type { PaymentMethod, PaymentSession } from './payment-session.schema.ts';

export interface PaymentSessionRow extends Row {
  id: string;
  account_id: string;
  status: PaymentSession['status'];
  amount_minor: number;
  currency: string;
  entry_mode: PaymentSession['entryMode'];
  capture_flow: PaymentSession['captureFlow'];
  platform_fee_minor: number | null;
  refunded_minor: number;
  last_error: string | null;
  client_secret: string;
  payment_method: string | null;
  payment_settings: string | null;
  statement_descriptor: string;
  return_url: string;
  metadata: string;
  created_ms: number;
  updated_ms: number;
}

export interface NewPaymentSession {
  id: string;
  accountId: string;
  amountMinor: number;
  currency: string;
  entryMode: PaymentSession['entryMode'];
  captureFlow: PaymentSession['captureFlow'];
  platformFeeMinor?: number;
  clientSecret: string;
  paymentSettings?: object;
  statementDescriptor: object;
  returnUrl: string;
  metadata?: Record<string, string>;
}

/** A session as an event carries it: without the client secret, which belongs in no record (Spec §2.2). */
export function showSessionInEvent(row: PaymentSessionRow): Omit<PaymentSession, 'clientSecret'> {
  return {
    id: row.id,
    amount: row.amount_minor,
    currency: row.currency,
    paymentType: 'Standard',
    entryMode: row.entry_mode,
    enabledPaymentMethods: ['Card'],
    ...(row.payment_method && { paymentMethod: JSON.parse(row.payment_method) as PaymentMethod }),
    ...(row.platform_fee_minor !== null && { platformFee: row.platform_fee_minor }),
    status: row.status,
    metadata: JSON.parse(row.metadata) as Record<string, string>,
    ...(row.last_error !== null && { lastError: row.last_error }),
    refundedAmount: row.refunded_minor,
    statementDescriptor: JSON.parse(row.statement_descriptor) as PaymentSession['statementDescriptor'],
    returnUrl: row.return_url,
    authorizationType: 'FinalAuth',
    captureFlow: row.capture_flow,
    ...(row.payment_settings && { paymentSettings: settingsOf(row)! }),
    createdTimestamp: toTimestamp(row.created_ms),
    lastUpdatedTimestamp: toTimestamp(row.updated_ms),
  };
}

/** How the session is to be paid, where its maker said so. */
export function settingsOf(row: PaymentSessionRow): PaymentSession['paymentSettings'] {
  if (row.payment_settings === null) return undefined;
  return JSON.parse(row.payment_settings) as PaymentSession['paymentSettings'];
}

/** A session as its owner sees it. */
export function showSession(row: PaymentSessionRow): PaymentSession {
  return { ...showSessionInEvent(row), clientSecret: row.client_secret };
}

export function findSession(
  queries: Queries,
  accountId: string,
  id: string,
): Promise<PaymentSessionRow | undefined> {
  return queries.get<PaymentSessionRow>(
    `SELECT * FROM payment_sessions WHERE id = ? AND account_id = ?`,
    id,
    accountId,
  );
}

/** By id alone, for a caller who proves with the client secret that the session is his. */
export function findAnySession(queries: Queries, id: string): Promise<PaymentSessionRow | undefined> {
  return queries.get<PaymentSessionRow>(`SELECT * FROM payment_sessions WHERE id = ?`, id);
}

export async function insertSession(
  tx: Transaction,
  session: NewPaymentSession,
  nowMs: number,
): Promise<PaymentSessionRow> {
  const row = await tx.get<PaymentSessionRow>(
    `INSERT INTO payment_sessions (id, account_id, status, amount_minor, currency, entry_mode, capture_flow,
       platform_fee_minor, client_secret, payment_settings, statement_descriptor, return_url, metadata,
       created_ms, updated_ms)
     VALUES (?, ?, 'PendingPayment', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
    session.id,
    session.accountId,
    session.amountMinor,
    session.currency,
    session.entryMode,
    session.captureFlow,
    session.platformFeeMinor ?? null,
    session.clientSecret,
    session.paymentSettings ? JSON.stringify(session.paymentSettings) : null,
    JSON.stringify(session.statementDescriptor),
    session.returnUrl,
    JSON.stringify(session.metadata ?? {}),
    nowMs,
    nowMs,
  );
  return row!;
}

/**
 * Moves a session from one status to another, or not at all: the compare-and-set that money hangs on.
 * Undefined when the session did not stand where it was thought to.
 */
export function moveSession(
  tx: Transaction,
  id: string,
  from: PaymentSession['status'],
  to: PaymentSession['status'],
  change: { lastError: string | null; paymentMethod?: PaymentMethod },
  nowMs: number,
): Promise<PaymentSessionRow | undefined> {
  return tx.get<PaymentSessionRow>(
    `UPDATE payment_sessions SET status = ?, last_error = ?, payment_method = COALESCE(?, payment_method),
       updated_ms = ? WHERE id = ? AND status = ? RETURNING *`,
    to,
    change.lastError,
    change.paymentMethod ? JSON.stringify(change.paymentMethod) : null,
    nowMs,
    id,
    from,
  );
}

/** Adds to what is refunded, never beyond the amount; undefined when that much is not left. */
export function addRefunded(
  tx: Transaction,
  id: string,
  amountMinor: number,
  nowMs: number,
): Promise<PaymentSessionRow | undefined> {
  return tx.get<PaymentSessionRow>(
    `UPDATE payment_sessions SET refunded_minor = refunded_minor + ?, updated_ms = ?
     WHERE id = ? AND status = 'Captured' AND refunded_minor + ? <= amount_minor RETURNING *`,
    amountMinor,
    nowMs,
    id,
    amountMinor,
  );
}
