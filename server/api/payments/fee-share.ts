import type { Queries } from '../../platform/store/store.ts';
import { refundedWithFee, type PaymentTransactionRow } from './payment-transaction.records.ts';

/** What was refunded of a capture so far by the refunds that return the platform fee too, minor units. */
interface FeeRefunds {
  /** Sum of those refunds. */
  amountMinor: number;
  /** The part of the fee that they returned. */
  feeMinor: number;
}

/**
 * Returns the part of the platform fee that a refund returns, minor units. Of all that is refunded with the fee, the
 * returned fee is in proportion, rounded half up; each refund returns what the earlier ones did not. So the parts of a
 * capture that is fully refunded return the whole fee (Spec §4.12), in any order.
 */
export function feeShare(
  { feeMinor, capturedMinor }: { feeMinor: number; capturedMinor: number },
  earlier: FeeRefunds,
  amountMinor: number,
): number {
  // The product of two amounts can be beyond what a double holds exactly.
  const [fee, captured] = [BigInt(feeMinor), BigInt(capturedMinor)];
  const refunded = BigInt(earlier.amountMinor) + BigInt(amountMinor);
  const returned = Number((2n * fee * refunded + captured) / (2n * captured));
  return Math.max(0, Math.min(returned, feeMinor) - earlier.feeMinor);
}

/** Returns the part of a capture's platform fee that a refund of an amount returns, minor units. */
export async function feeOfRefund(
  queries: Queries,
  capture: PaymentTransactionRow,
  amountMinor: number,
): Promise<number> {
  const fee = { feeMinor: capture.platform_fee_minor ?? 0, capturedMinor: capture.amount_minor };
  const earlier = {
    amountMinor: await refundedWithFee(queries, capture),
    feeMinor: capture.platform_fee_refunded_minor ?? 0,
  };
  return feeShare(fee, earlier, amountMinor);
}
