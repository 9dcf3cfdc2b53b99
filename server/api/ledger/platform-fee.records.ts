import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { NewOf, RowOf } from '../../platform/store/stored-property.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { PLATFORM_FEE, PLATFORM_FEE_REFUND, type PlatformFee } from './platform-fee.schema.ts';

export type PlatformFeeRow = RowOf<typeof PLATFORM_FEE>;

export type NewPlatformFee = NewOf<typeof PLATFORM_FEE>;

export const platformFees = storedObjects({ table: 'platform_fees' }, PLATFORM_FEE);

export type PlatformFeeRefundRow = RowOf<typeof PLATFORM_FEE_REFUND>;

export const platformFeeRefunds = storedObjects({ table: 'platform_fee_refunds' }, PLATFORM_FEE_REFUND);

export function toPlatformFee(row: PlatformFeeRow): PlatformFee {
  return platformFees.show(row, { netAmount: row.amount_minor - row.processing_minor });
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
