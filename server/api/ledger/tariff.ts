import type { FeeAllocation } from './fee-allocation.schema.ts';
import { entriesOf } from '../../../protocol/tables.ts';

type FeePart = 'interchange' | 'network' | 'processor' | 'gateway' | 'miscPassThrough';

/** The processing fee of a payment by part, minor units. */
type ProcessingFee = Record<FeePart, number>;

// 1.4 % and 20 minor units in any currency, online and in person, never more than the payment. Refunds and chargebacks
// cost nothing, and no fee is returned with them (docs/choices.md, Processing fees).
const RATE_BASIS_POINTS = 140;
const INTERCHANGE_BASIS_POINTS = 60;
const NETWORK_BASIS_POINTS = 20;
const FIXED_MINOR = 20;

/**
 * Returns a share of an amount in basis points, half a unit rounded up. Uses BigInt, since the product can exceed what
 * a double holds exactly.
 */
function shareOf(amountMinor: number, basisPoints: number): number {
  return Number((BigInt(amountMinor) * BigInt(basisPoints) + 5_000n) / 10_000n);
}

/** Returns the processing fee of a captured amount. The processor's part takes the remainder of the rounding. */
export function processingFee(amountMinor: number): ProcessingFee {
  const total = Math.min(amountMinor, shareOf(amountMinor, RATE_BASIS_POINTS) + FIXED_MINOR);
  const gateway = Math.min(FIXED_MINOR, total);
  const interchange = Math.min(shareOf(amountMinor, INTERCHANGE_BASIS_POINTS), total - gateway);
  const network = Math.min(shareOf(amountMinor, NETWORK_BASIS_POINTS), total - gateway - interchange);
  const processor = total - gateway - interchange - network;
  return { interchange, network, processor, gateway, miscPassThrough: 0 };
}

/** Returns the sum of all parts of the processing fee of a captured amount. */
export function totalProcessingFee(amountMinor: number): number {
  return Object.values(processingFee(amountMinor)).reduce((sum, part) => sum + part, 0);
}

/**
 * Returns how much of a fee each account pays. Each part is booked to the account that the allocation sets for it;
 * `combined` applies to all parts. The first of `parties` pays a part without an account, or whose account has no part
 * in the payment.
 */
export function allocate(
  fee: ProcessingFee,
  allocation: FeeAllocation,
  parties: readonly [string, ...string[]],
): Map<string, number> {
  const paid = new Map<string, number>();
  for (const [part, minor] of entriesOf(fee)) {
    const named = (allocation.combined ?? allocation[part])?.bookTo;
    const payer = named !== undefined && parties.includes(named) ? named : parties[0];
    if (minor > 0) paid.set(payer, (paid.get(payer) ?? 0) + minor);
  }
  return paid;
}
