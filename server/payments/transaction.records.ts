import { toTimestamp } from '../../protocol/clock.ts';
import type { PageSource } from '../http/paging.ts';
import type { Queries, Row, Transaction } from '../store/store.ts';
import type { PaymentMethod } from './payment-session.schema.ts';
import type { PaymentTransaction } from './transaction.resource.ts';

export interface TransactionRow extends Row {
  id: string;
  account_id: string;
  session_id: string;
  type: PaymentTransaction['type'];
  status: PaymentTransaction['status'];
  amount_minor: number;
  currency: string;
  refunded_minor: number | null;
  platform_fee_minor: number | null;
  platform_fee_refunded_minor: number | null;
  reason: string | null;
  capture_type: 'Final' | 'NotFinal' | null;
  payment_method: string | null;
  created_ms: number;
  updated_ms: number;
}

export interface NewTransaction {
  id: string;
  accountId: string;
  sessionId: string;
  type: PaymentTransaction['type'];
  status: PaymentTransaction['status'];
  amountMinor: number;
  currency: string;
  paymentMethod: PaymentMethod | undefined;
  /** Of a capture: what of it the platform takes. */
  platformFeeMinor?: number;
}

/** A transaction as the API shows it; what belongs to captures alone is absent elsewhere. */
export function showTransaction(row: TransactionRow): PaymentTransaction {
  return {
    id: row.id,
    paymentSessionId: row.session_id,
    amount: row.amount_minor,
    currency: row.currency,
    type: row.type,
    status: row.status,
    ...(row.refunded_minor !== null && { refundedAmount: row.refunded_minor }),
    ...(row.platform_fee_minor !== null && { platformFee: row.platform_fee_minor }),
    ...(row.platform_fee_refunded_minor !== null && {
      platformFeeRefundedAmount: row.platform_fee_refunded_minor,
    }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.capture_type !== null && { captureType: row.capture_type }),
    ...(row.payment_method && { paymentMethod: JSON.parse(row.payment_method) as PaymentMethod }),
    createdTimestamp: toTimestamp(row.created_ms),
    lastUpdatedTimestamp: toTimestamp(row.updated_ms),
  };
}

export const TRANSACTION_LIST = (sessionId: string): PageSource => ({
  table: 'payment_transactions',
  owned: { where: 'session_id = ?', parameters: [sessionId] },
});

export function findTransaction(
  queries: Queries,
  sessionId: string,
  id: string,
): Promise<TransactionRow | undefined> {
  return queries.get<TransactionRow>(
    `SELECT * FROM payment_transactions WHERE id = ? AND session_id = ?`,
    id,
    sessionId,
  );
}

export function findCapture(queries: Queries, sessionId: string): Promise<TransactionRow | undefined> {
  return queries.get<TransactionRow>(
    `SELECT * FROM payment_transactions WHERE session_id = ? AND type = 'Capture' ORDER BY seq LIMIT 1`,
    sessionId,
  );
}

export async function insertTransaction(
  tx: Transaction,
  transaction: NewTransaction,
  nowMs: number,
): Promise<void> {
  const capture = transaction.type === 'Capture';
  await tx.run(
    `INSERT INTO payment_transactions (id, account_id, session_id, type, status, amount_minor, currency,
       refunded_minor, platform_fee_minor, platform_fee_refunded_minor, capture_type, payment_method,
       created_ms, updated_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    transaction.id,
    transaction.accountId,
    transaction.sessionId,
    transaction.type,
    transaction.status,
    transaction.amountMinor,
    transaction.currency,
    capture ? 0 : null,
    transaction.platformFeeMinor ?? null,
    transaction.platformFeeMinor === undefined ? null : 0,
    capture ? 'Final' : null,
    transaction.paymentMethod ? JSON.stringify(transaction.paymentMethod) : null,
    nowMs,
    nowMs,
  );
}

/** Notes on a capture what of it, and of its platform fee, has been given back. */
export async function addRefundedToCapture(
  tx: Transaction,
  captureId: string,
  amountMinor: number,
  feeMinor: number,
  nowMs: number,
): Promise<void> {
  await tx.run(
    `UPDATE payment_transactions SET refunded_minor = refunded_minor + ?,
       platform_fee_refunded_minor = platform_fee_refunded_minor + ?, updated_ms = ? WHERE id = ?`,
    amountMinor,
    feeMinor,
    nowMs,
    captureId,
  );
}
