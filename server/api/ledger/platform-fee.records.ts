import { toTimestamp } from '../../../protocol/clock.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { PlatformFee, PlatformFeeRefund } from './platform-fee.schema.ts';

export interface PlatformFeeRow extends Row {
  id: string;
  account_id: string;
  session_id: string;
  capture_id: string;
  split_id: string | null;
  from_account_id: string;
  amount_minor: number;
  payment_minor: number;
  processing_minor: number;
  currency: string;
  refunded_minor: number;
  created_ms: number;
  updated_ms: number;
}

export interface NewPlatformFee {
  id: string;
  /** The platform, which collects it. */
  platformId: string;
  sessionId: string;
  captureId: string;
  /** The split that it is taken from, if not from the payment. */
  splitId?: string;
  fromAccountId: string;
  amountMinor: number;
  /** What was captured, or of a split what went to the account. */
  paymentMinor: number;
  /** The processing fee that the platform pays out of it. */
  processingMinor: number;
  currency: string;
}

export interface PlatformFeeRefundRow extends Row {
  id: string;
  fee_id: string;
  amount_minor: number;
  currency: string;
  reason: string | null;
  status: PlatformFeeRefund['status'];
  created_ms: number;
  updated_ms: number;
}

export function toPlatformFee(row: PlatformFeeRow): PlatformFee {
  return {
    id: row.id,
    paymentSessionId: row.session_id,
    amount: row.amount_minor,
    paymentAmount: row.payment_minor,
    processingFee: row.processing_minor,
    netAmount: row.amount_minor - row.processing_minor,
    currency: row.currency,
    fromAccountId: row.from_account_id,
    createdTimestamp: toTimestamp(row.created_ms),
  };
}

export function toPlatformFeeRefund(row: PlatformFeeRefundRow): PlatformFeeRefund {
  return {
    id: row.id,
    platformFeeId: row.fee_id,
    amount: row.amount_minor,
    currency: row.currency,
    ...(row.reason !== null && { reason: row.reason }),
    status: row.status,
    createdTimestamp: toTimestamp(row.created_ms),
    lastUpdatedTimestamp: toTimestamp(row.updated_ms),
  };
}

export const PLATFORM_FEE_LIST = (platformId: string): PageSource => ({
  table: 'platform_fees',
  owned: { where: 'account_id = ?', parameters: [platformId] },
});

export const PLATFORM_FEE_REFUND_LIST = (feeId: string): PageSource => ({
  table: 'platform_fee_refunds',
  owned: { where: 'fee_id = ?', parameters: [feeId] },
});

export function findPlatformFee(
  queries: Queries,
  platformId: string,
  id: string,
): Promise<PlatformFeeRow | undefined> {
  return queries.get<PlatformFeeRow>(
    `SELECT * FROM platform_fees WHERE id = ? AND account_id = ?`,
    id,
    platformId,
  );
}

export async function insertPlatformFee(
  tx: Transaction,
  fee: NewPlatformFee,
  nowMs: number,
): Promise<PlatformFeeRow> {
  const row = await tx.get<PlatformFeeRow>(
    `INSERT INTO platform_fees (id, account_id, session_id, capture_id, split_id, from_account_id, amount_minor,
       payment_minor, processing_minor, currency, created_ms, updated_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
    fee.id,
    fee.platformId,
    fee.sessionId,
    fee.captureId,
    fee.splitId ?? null,
    fee.fromAccountId,
    fee.amountMinor,
    fee.paymentMinor,
    fee.processingMinor,
    fee.currency,
    nowMs,
    nowMs,
  );
  return row!;
}

/**
 * Adds a refund to the fee of a capture, or of one of its splits. Returns undefined when there is no such fee or
 * less than that is left of it.
 */
export function addRefundedToFee(
  tx: Transaction,
  from: { captureId: string; splitId: string | null },
  amountMinor: number,
  nowMs: number,
): Promise<PlatformFeeRow | undefined> {
  return tx.get<PlatformFeeRow>(
    `UPDATE platform_fees SET refunded_minor = refunded_minor + ?, updated_ms = ?
     WHERE capture_id = ? AND COALESCE(split_id, '') = ? AND refunded_minor + ? <= amount_minor RETURNING *`,
    amountMinor,
    nowMs,
    from.captureId,
    from.splitId ?? '',
    amountMinor,
  );
}

/** A refund of a fee, which succeeds at once. */
export async function insertPlatformFeeRefund(
  tx: Transaction,
  refund: { id: string; feeId: string; amountMinor: number; currency: string; reason: string | null },
  nowMs: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO platform_fee_refunds (id, fee_id, amount_minor, currency, reason, status, created_ms, updated_ms)
     VALUES (?, ?, ?, ?, ?, 'Succeeded', ?, ?)`,
    refund.id,
    refund.feeId,
    refund.amountMinor,
    refund.currency,
    refund.reason,
    nowMs,
    nowMs,
  );
}
