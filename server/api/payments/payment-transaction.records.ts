import { toTimestamp } from '../../../protocol/clock.ts';
import { totalProcessingFee } from '../ledger/tariff.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import { insertInto } from '../../platform/store/insert-row.ts';
import { jsonText, parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { PaymentMethod } from './payment-method-details.schema.ts';
import type { Split } from './split.schema.ts';
import type { PaymentTransaction } from './payment-transaction.schema.ts';

export interface PaymentTransactionRow extends Row {
  id: string;
  account_id: string;
  session_id: string;
  type: PaymentTransaction['type'];
  status: PaymentTransaction['status'];
  amount_minor: number;
  currency: string;
  refunded_minor: number | null;
  platform_fee_minor: number | null;
  /** Of a capture, the refunded part of its fee. Of a refund, the part that it returned; null when the fee stays. */
  platform_fee_refunded_minor: number | null;
  reason: string | null;
  capture_type: 'Final' | 'NotFinal' | null;
  /** Refunds only: id of the refunded capture. */
  capture_id: string | null;
  payment_method: JsonText<PaymentMethod> | null;
  splits: JsonText<CaptureSplit[]> | null;
  created_ms: number;
  updated_ms: number;
}

export const PAYMENT_TRANSACTION_COLUMNS = [
  'id',
  'account_id',
  'session_id',
  'type',
  'status',
  'amount_minor',
  'currency',
  'refunded_minor',
  'platform_fee_minor',
  'platform_fee_refunded_minor',
  'reason',
  'capture_type',
  'capture_id',
  'payment_method',
  'splits',
  'created_ms',
  'updated_ms',
] as const satisfies readonly (keyof PaymentTransactionRow)[];

/** A split of a capture, with the refunded amounts of the split and of its fee, in minor units. */
export interface CaptureSplit extends Split {
  refundedMinor: number;
  feeRefundedMinor: number;
}

export interface NewPaymentTransaction {
  id: string;
  accountId: string;
  sessionId: string;
  type: PaymentTransaction['type'];
  status: PaymentTransaction['status'];
  amountMinor: number;
  currency: string;
  paymentMethod: PaymentMethod | undefined;
  /** Captures only: fee of the platform, in minor units. */
  platformFeeMinor?: number | undefined;
  /** Refunds only: the part of the platform's fee that it returns, in minor units. */
  platformFeeRefundedMinor?: number | undefined;
  /** Captures only; `Final` by default. */
  captureType?: 'Final' | 'NotFinal' | undefined;
  /** Refunds only: id of the refunded capture. */
  captureId?: string | undefined;
  reason?: string | undefined;
  splits?: Split[] | undefined;
}

export function captureSplitsOf(row: PaymentTransactionRow): CaptureSplit[] {
  return row.splits === null ? [] : parseJson(row.splits);
}

/** Returns a transaction as the API shows it. */
export function toPaymentTransaction(row: PaymentTransactionRow): PaymentTransaction {
  return {
    id: row.id,
    paymentSessionId: row.session_id,
    amount: row.amount_minor,
    currency: row.currency,
    type: row.type,
    status: row.status,
    ...(row.refunded_minor !== null && { refundedAmount: row.refunded_minor }),
    ...(row.platform_fee_minor !== null && { platformFee: row.platform_fee_minor }),
    ...(row.type === 'Capture' &&
      row.platform_fee_refunded_minor !== null && {
        platformFeeRefundedAmount: row.platform_fee_refunded_minor,
      }),
    ...(row.type === 'Capture' &&
      row.status === 'Succeeded' && { processingFee: totalProcessingFee(row.amount_minor) }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.capture_type !== null && { captureType: row.capture_type }),
    ...(row.capture_id !== null && { captureTransaction: { id: row.capture_id } }),
    ...(row.payment_method && { paymentMethod: parseJson(row.payment_method) }),
    ...(row.splits !== null && { splitPaymentDetail: { items: captureSplitsOf(row).map(toSplit) } }),
    createdTimestamp: toTimestamp(row.created_ms),
    lastUpdatedTimestamp: toTimestamp(row.updated_ms),
  };
}

function toSplit({
  refundedMinor: _refunded,
  feeRefundedMinor: _feeRefunded,
  ...split
}: CaptureSplit): Split {
  return split;
}

export const PAYMENT_TRANSACTION_LIST = (sessionId: string): PageSource => ({
  table: 'payment_transactions',
  owned: { where: 'session_id = ?', parameters: [sessionId] },
});

export function findPaymentTransaction(
  queries: Queries,
  sessionId: string,
  id: string,
): Promise<PaymentTransactionRow | undefined> {
  return queries.get<PaymentTransactionRow>(
    `SELECT * FROM payment_transactions WHERE id = ? AND session_id = ?`,
    id,
    sessionId,
  );
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

const insertRow = insertInto<PaymentTransactionRow>('payment_transactions', PAYMENT_TRANSACTION_COLUMNS);

export function insertPaymentTransaction(
  tx: Transaction,
  transaction: NewPaymentTransaction,
  nowMs: number,
): Promise<PaymentTransactionRow> {
  const capture = transaction.type === 'Capture';
  const { platformFeeMinor, platformFeeRefundedMinor, splits, paymentMethod } = transaction;
  return insertRow(tx, {
    id: transaction.id,
    account_id: transaction.accountId,
    session_id: transaction.sessionId,
    type: transaction.type,
    status: transaction.status,
    amount_minor: transaction.amountMinor,
    currency: transaction.currency,
    refunded_minor: capture ? 0 : null,
    platform_fee_minor: platformFeeMinor ?? null,
    platform_fee_refunded_minor: platformFeeRefundedMinor ?? (platformFeeMinor === undefined ? null : 0),
    reason: transaction.reason ?? null,
    capture_type: capture ? (transaction.captureType ?? 'Final') : null,
    capture_id: transaction.captureId ?? null,
    payment_method: paymentMethod ? jsonText(paymentMethod) : null,
    splits: splits && splits.length > 0 ? jsonText(splits.map(nothingRefunded)) : null,
    created_ms: nowMs,
    updated_ms: nowMs,
  });
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

export async function endPaymentTransaction(
  tx: Transaction,
  id: string,
  status: 'Failed' | 'Succeeded',
  nowMs: number,
): Promise<void> {
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
