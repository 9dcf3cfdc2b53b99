import type { Static } from '../../../protocol/schema.ts';
import type { Ids } from '../../../protocol/ids.ts';
import { findAccount } from '../accounts/account.records.ts';
import type { FeeAllocation } from '../ledger/fee-allocation.schema.ts';
import type { Queries } from '../../platform/store/store.ts';
import { PaymentSettings, type FEE_SPELLINGS } from './payment-settings.schema.ts';
import type { Split, SplitRequest } from './split.schema.ts';
import { refundedWithFee, type PaymentTransactionRow } from './payment-transaction.records.ts';

/** Returns the requested splits, each with a new id. */
export function createSplits(ids: Ids, items: SplitRequest['items']): Split[] {
  return items.map(({ accountId, amount, description, fee, metadata }) => ({
    id: ids.make('split'),
    accountId,
    amount,
    ...(fee && { fee }),
    ...(description !== undefined && { description }),
    ...(metadata && { metadata }),
  }));
}

/** Returns the first of these accounts that is not linked to the platform; undefined when all are. */
export async function findUnlinkedAccount(
  queries: Queries,
  platformId: string,
  accountIds: readonly string[],
): Promise<string | undefined> {
  for (const id of new Set(accountIds)) {
    if (id === platformId) continue;
    if ((await findAccount(queries, id))?.platformId !== platformId) return id;
  }
  return undefined;
}

type FeeSpellings = { [K in keyof typeof FEE_SPELLINGS]?: Static<(typeof FEE_SPELLINGS)[K]> };

/** Returns the fee allocation of a request, from any of the members that may hold it; undefined when there is none. */
export function feeAllocationOf({
  paymentSettings,
  platformSettings,
  settings,
}: FeeSpellings): FeeAllocation | undefined {
  const given = [
    platformSettings?.paymentFees,
    settings?.platform?.paymentFees,
    paymentSettings?.platform?.paymentFees,
  ].filter((fees) => fees !== undefined);
  return given.length === 0 ? undefined : Object.assign({}, ...given);
}

/** Returns the payment settings of a request, with its fee allocation where the API shows it. */
export function paymentSettingsOf(body: FeeSpellings): PaymentSettings | undefined {
  const paymentFees = feeAllocationOf(body);
  if (!paymentFees) return body.paymentSettings;
  return { ...body.paymentSettings, platform: { paymentFees } };
}

/** Returns the ids of the accounts that a fee allocation names. */
export function feePayerIds(fees: FeeAllocation | undefined): string[] {
  return Object.values(fees ?? {}).map(({ bookTo }) => bookTo);
}

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
