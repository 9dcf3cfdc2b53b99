import { totalProcessingFee } from '../ledger/tariff.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { NewOf, RowOf } from '../../platform/store/stored-property.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import {
  PAYMENT_TRANSACTION,
  type CaptureSplit,
  type PaymentTransaction,
} from './payment-transaction.schema.ts';
import type { Split } from './split.schema.ts';

export type PaymentTransactionRow = RowOf<typeof PAYMENT_TRANSACTION>;

/** What a transaction is created with. The type of a capture is `Final` by default. */
export type NewPaymentTransaction = Omit<NewOf<typeof PAYMENT_TRANSACTION>, 'refundedAmount' | 'splits'> & {
  splits?: Split[] | undefined;
};

export const paymentTransactions = storedObjects({ table: 'payment_transactions' }, PAYMENT_TRANSACTION);

export function captureSplitsOf(row: PaymentTransactionRow): CaptureSplit[] {
  return row.splits === null ? [] : parseJson(row.splits);
}

/** Returns a transaction as the API shows it. */
export function toPaymentTransaction(row: PaymentTransactionRow): PaymentTransaction {
  const isCapture = row.type === 'Capture';
  const hasFee = isCapture && row.status === 'Succeeded';
  return paymentTransactions.show(row, {
    platformFeeRefundedAmount: isCapture ? (row.platform_fee_refunded_minor ?? undefined) : undefined,
    processingFee: hasFee ? totalProcessingFee(row.amount_minor) : undefined,
    captureTransaction: row.capture_id === null ? undefined : { id: row.capture_id },
    splitPaymentDetail: row.splits === null ? undefined : { items: captureSplitsOf(row).map(toSplit) },
  });
}

function toSplit({
  refundedMinor: _refunded,
  feeRefundedMinor: _feeRefunded,
  ...split
}: CaptureSplit): Split {
  return split;
}

/** Returns the captures of a session, oldest first. */
export function listCaptures(queries: Queries, sessionId: string): Promise<PaymentTransactionRow[]> {
  return queries.all<PaymentTransactionRow>(
    `SELECT * FROM payment_transactions WHERE session_id = ? AND type = 'Capture' AND status = 'Succeeded'
     ORDER BY seq`,
    sessionId,
  );
}

/** Returns the sum of the refunds of a capture that returned its platform fee in proportion, minor units. */
export async function refundedWithFee(
  queries: Queries,
  { id, session_id: sessionId }: Pick<PaymentTransactionRow, 'id' | 'session_id'>,
): Promise<number> {
  const row = await queries.get<{ refunded: number | null }>(
    `SELECT SUM(amount_minor) AS refunded FROM payment_transactions WHERE session_id = ? AND capture_id = ?
       AND type = 'Refund' AND status = 'Succeeded' AND platform_fee_refunded_minor IS NOT NULL`,
    sessionId,
    id,
  );
  return row?.refunded ?? 0;
}

/** Returns whether a session has a pending transaction of this type. */
export async function isPending(
  queries: Queries,
  sessionId: string,
  type: PaymentTransaction['type'],
): Promise<boolean> {
  const row = await queries.get(
    `SELECT id FROM payment_transactions WHERE session_id = ? AND type = ? AND status = 'Pending'`,
    sessionId,
    type,
  );
  return row !== undefined;
}

export function insertPaymentTransaction(
  tx: Transaction,
  transaction: NewPaymentTransaction,
  nowMs: number,
): Promise<PaymentTransactionRow> {
  const { type, platformFee, platformFeeRefunded, captureType, splits } = transaction;
  const isCapture = type === 'Capture';
  const added = {
    ...transaction,
    refundedAmount: isCapture ? 0 : null,
    platformFeeRefunded: platformFeeRefunded ?? (platformFee === undefined ? null : 0),
    captureType: isCapture ? (captureType ?? 'Final') : null,
    splits: splits && splits.length > 0 ? splits.map(nothingRefunded) : null,
  };
  return paymentTransactions.insert(tx, added, nowMs);
}

function nothingRefunded(split: Split): CaptureSplit {
  return { ...split, refundedMinor: 0, feeRefundedMinor: 0 };
}

/** Adds a refund to the refunded amounts of its capture, of the platform fee and of the splits. */
export async function addRefundedToCapture(
  tx: Transaction,
  capture: PaymentTransactionRow,
  refunded: { amountMinor: number; feeMinor: number; splits: CaptureSplit[] },
  nowMs: number,
): Promise<void> {
  tx.requireRowLock('payment_sessions', capture.session_id);
  await tx.run(
    `UPDATE payment_transactions SET refunded_minor = refunded_minor + ?,
       platform_fee_refunded_minor = platform_fee_refunded_minor + ?, splits = ?, updated_ms = ? WHERE id = ?`,
    refunded.amountMinor,
    refunded.feeMinor,
    refunded.splits.length > 0 ? JSON.stringify(refunded.splits) : null,
    nowMs,
    capture.id,
  );
}

/** Ends a pending transaction of a payment session that the transaction has locked. */
export async function endPaymentTransaction(
  tx: Transaction,
  { id, sessionId }: { id: string; sessionId: string },
  status: 'Failed' | 'Succeeded',
  nowMs: number,
): Promise<void> {
  tx.requireRowLock('payment_sessions', sessionId);
  await tx.run(
    `UPDATE payment_transactions SET status = ?, updated_ms = ? WHERE id = ? AND status = 'Pending'`,
    status,
    nowMs,
    id,
  );
}

/** Returns when the payment of a session was approved; undefined when it was not. */
export async function findApprovalMs(queries: Queries, sessionId: string): Promise<number | undefined> {
  const row = await queries.get<{ created_ms: number | null }>(
    `SELECT MAX(created_ms) AS created_ms FROM payment_transactions
     WHERE session_id = ? AND type = 'Authorization' AND status = 'Succeeded'`,
    sessionId,
  );
  return row?.created_ms ?? undefined;
}
