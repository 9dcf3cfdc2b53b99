import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CURRENCIES } from '../../../../protocol/money.ts';
import { feeShare } from '../../../../server/api/payments/splits-and-fees.ts';
import { property } from '../../../property.ts';
import { paymentServer } from './payment-server.ts';

const NOTHING = { amountMinor: 0, feeMinor: 0 };

/** Refunds a capture in parts, each with its share of the fee; returns the shares. */
function sharesOf(feeMinor: number, parts: readonly number[], capturedMinor: number): number[] {
  const refunded = { ...NOTHING };
  return parts.map((amountMinor) => {
    const share = feeShare({ feeMinor, capturedMinor }, refunded, amountMinor);
    refunded.amountMinor += amountMinor;
    refunded.feeMinor += share;
    return share;
  });
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

test.each([
  [99, 500, 1000, 50],
  [99, 495, 1000, 49],
  [1, 500, 1000, 1],
  [1, 499, 1000, 0],
  [0, 1000, 1000, 0],
  [150, 2000, 2000, 150],
])(
  'feeShare: of a fee of %i, a refund of %i of %i returns %i',
  (feeMinor, amountMinor, capturedMinor, back) => {
    expect(feeShare({ feeMinor, capturedMinor }, NOTHING, amountMinor)).toBe(back);
  },
);

test.each([
  { feeMinor: 1, parts: [400, 300, 300], shares: [0, 1, 0] },
  { feeMinor: 100, parts: [333, 333, 333], shares: [33, 34, 33] },
  { feeMinor: 29, parts: Array.from({ length: 20 }, () => 100), shares: undefined },
])('feeShare: $parts return the whole fee of $feeMinor', ({ feeMinor, parts, shares: expected }) => {
  const shares = sharesOf(feeMinor, parts, sum(parts));
  expect(sum(shares)).toBe(feeMinor);
  if (expected) expect(shares).toEqual(expected);
});

test('feeShare: a part that was refunded without the fee keeps its share', () => {
  expect(sum(sharesOf(100, [600], 1000))).toBe(60);
});

test('feeShare: returns no more of the fee than is left', () => {
  const fee = { feeMinor: 99, capturedMinor: 1000 };
  // An older version returned these parts.
  expect(feeShare(fee, { amountMinor: 0, feeMinor: 50 }, 1000)).toBe(49);
  expect(feeShare(fee, { amountMinor: 0, feeMinor: 99 }, 500)).toBe(0);
});

test('feeShare: is exact where a product of two amounts exceeds a double', () => {
  // In HUF. In proportion that is 133,333,333 and a half but for a billionth, so it is rounded down.
  const fee = { feeMinor: 400_000_001, capturedMinor: 799_999_999 };
  expect(feeShare(fee, NOTHING, 266_666_666)).toBe(133_333_333);
});

const most = CURRENCIES.HUF.maxMinor;
const cases = fc.record({ capturedMinor: fc.integer({ min: 1, max: most }) }).chain(({ capturedMinor }) =>
  fc.record({
    capturedMinor: fc.constant(capturedMinor),
    feeMinor: fc.integer({ min: 0, max: capturedMinor }),
    amountMinor: fc.integer({ min: 1, max: capturedMinor }),
  }),
);

property([cases])('it is the nearest to the proportion', ({ feeMinor, amountMinor, capturedMinor }) => {
  const share = BigInt(feeShare({ feeMinor, capturedMinor }, NOTHING, amountMinor));
  const [exact, whole] = [BigInt(feeMinor) * BigInt(amountMinor), BigInt(capturedMinor)];
  const doubleError = 2n * (share * whole - exact);
  expect(doubleError > -whole && doubleError <= whole).toBe(true);
});

const wholes = fc
  .array(fc.integer({ min: 1, max: most }), { minLength: 1, maxLength: 20 })
  .chain((parts) =>
    fc.record({ parts: fc.constant(parts), feeMinor: fc.integer({ min: 0, max: sum(parts) }) }),
  );

property([wholes], { numRuns: 500 })(
  'parts of a whole return the whole fee, none a negative part',
  ({ parts, feeMinor }) => {
    const shares = sharesOf(feeMinor, parts, sum(parts));
    expect(sum(shares)).toBe(feeMinor);
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
  },
);

/** Splits an amount at random cuts; the parts are positive and sum to it. */
const partsOf = (amount: number, cuts: readonly number[]) => {
  const marks = [...new Set(cuts.map((cut) => 1 + (cut % (amount - 1))))].toSorted(
    (one, other) => one - other,
  );
  return [...marks, amount].map((mark, index) => mark - (marks[index - 1] ?? 0));
};
const cuts = fc.array(fc.nat(), { maxLength: 6 });
const payments = fc.record({
  captures: fc.array(fc.record({ amount: fc.integer({ min: 30, max: 5_000 }), fee: fc.nat(), cuts }), {
    minLength: 1,
    maxLength: 3,
  }),
  order: fc.infiniteStream(fc.nat()),
});

test(
  'refunds: in any parts and order, of one capture or of several, each with its fee, return every fee whole',
  { tags: ['spec:4.12/platform-fee-refund'] },
  async () => {
    const { branch } = await paymentServer();
    await fc.assert(
      fc.asyncProperty(payments, async ({ captures: wanted, order }) => {
        const amount = sum(wanted.map((capture) => capture.amount));
        const session = await branch.approved({ amount });
        for (const [index, capture] of wanted.entries()) {
          const captureType = index === wanted.length - 1 ? 'Final' : 'NotFinal';
          const platformFee = 1 + (capture.fee % capture.amount);
          const body = { amount: capture.amount, captureType, platformFee };
          expect((await branch.move(session, 'captures', body)).status).toBe(202);
        }
        const isCapture = ({ type }: { type: string }) => type === 'Capture';
        const captured = (await branch.transactions(session)).filter(isCapture);
        const refunds = captured.flatMap(({ id }, index) =>
          partsOf(wanted[index]!.amount, wanted[index]!.cuts).map((part) => ({ id, part })),
        );
        for (const [index, at] of [...order.take(refunds.length)].entries()) {
          const [{ id, part }] = refunds.splice(at % refunds.length, 1) as [(typeof refunds)[number]];
          const body = { amount: part, refundPlatformFee: true, captureTransaction: { id } };
          const { status } = await branch.move(session, 'refunds', body);
          expect(status, `refund ${index}`).toBe(202);
        }
        const after = (await branch.transactions(session)).filter(isCapture);
        for (const capture of after) {
          expect(capture.refundedAmount).toBe(capture.amount);
          expect(capture.platformFeeRefundedAmount).toBe(capture.platformFee);
        }
      }),
      { numRuns: 25 },
    );
  },
);
