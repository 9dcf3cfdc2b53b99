import type { FeeAllocation } from './fee-allocation.schema.ts';

type FeePart = 'interchange' | 'network' | 'processor' | 'gateway' | 'miscPassThrough';

/** What processing a payment costs, part by part, minor units. */
type ProcessingFee = Record<FeePart, number>;

// 1.4 % and 20 minor units of whatever currency, online and in person, never more than the payment. Refunds and
// chargebacks cost nothing, and nothing comes back with them (docs/choices.md, Processing fees).
const RATE_BASIS_POINTS = 140;
const INTERCHANGE_BASIS_POINTS = 60;
const NETWORK_BASIS_POINTS = 20;
const FIXED_MINOR = 20;

/** A share of an amount in basis points, half a unit rounded up. Exact: amounts go beyond what doubles multiply. */
function shareOf(amountMinor: number, basisPoints: number): number {
  return Number((BigInt(amountMinor) * BigInt(basisPoints) + 5_000n) / 10_000n);
}

/** The processing fee of a captured amount. Its processor's part takes what rounding leaves. */
export function processingFee(amountMinor: number): ProcessingFee {
  const total = Math.min(amountMinor, shareOf(amountMinor, RATE_BASIS_POINTS) + FIXED_MINOR);
  const gateway = Math.min(FIXED_MINOR, total);
  const interchange = Math.min(shareOf(amountMinor, INTERCHANGE_BASIS_POINTS), total - gateway);
  const network = Math.min(shareOf(amountMinor, NETWORK_BASIS_POINTS), total - gateway - interchange);
  const processor = total - gateway - interchange - network;
  return { interchange, network, processor, gateway, miscPassThrough: 0 };
}

/** All parts of the processing fee of a captured amount. */
export function totalProcessingFee(amountMinor: number): number {
  return Object.values(processingFee(amountMinor)).reduce((sum, part) => sum + part, 0);
}

/**
 * Who pays how much of a fee. Each part is booked to the account that the allocation names for it, `combined`
 * over all others; what names nobody, or somebody who has no part in the payment, the first of `parties` pays.
 */
export function allocate(
  fee: ProcessingFee,
  allocation: FeeAllocation,
  parties: readonly [string, ...string[]],
): Map<string, number> {
  const paid = new Map<string, number>();
  for (const [part, minor] of Object.entries(fee) as [FeePart, number][]) {
    const named = (allocation.combined ?? allocation[part])?.bookTo;
    const payer = named !== undefined && parties.includes(named) ? named : parties[0];
    if (minor > 0) paid.set(payer, (paid.get(payer) ?? 0) + minor);
  }
  return paid;
}
