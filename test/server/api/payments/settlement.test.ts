import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CURRENCIES } from '../../../../protocol/money.ts';
import { feeShare } from '../../../../server/api/payments/settlement.ts';
import { property } from '../../../property.ts';

test.each([
  [99, 500, 1000, 50],
  [99, 495, 1000, 49],
  [1, 500, 1000, 1],
  [1, 499, 1000, 0],
  [0, 1000, 1000, 0],
  [150, 2000, 2000, 150],
])('feeShare: of a fee of %i, a refund of %i of %i returns %i', (fee, amountMinor, capturedMinor, back) => {
  expect(feeShare(fee, 0, { amountMinor, capturedMinor })).toBe(back);
});

test('feeShare: returns no more of the fee than is left', () => {
  expect(feeShare(99, 50, { amountMinor: 500, capturedMinor: 1000 })).toBe(49);
  expect(feeShare(99, 99, { amountMinor: 500, capturedMinor: 1000 })).toBe(0);
});

test('feeShare: is exact where a product of two amounts exceeds a double', () => {
  // In HUF. In proportion that is 133,333,333 and a half but for a billionth, so it is rounded down.
  expect(feeShare(400_000_001, 0, { amountMinor: 266_666_666, capturedMinor: 799_999_999 })).toBe(
    133_333_333,
  );
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
  const share = BigInt(feeShare(feeMinor, 0, { amountMinor, capturedMinor }));
  const [exact, whole] = [BigInt(feeMinor) * BigInt(amountMinor), BigInt(capturedMinor)];
  const doubleError = 2n * (share * whole - exact);
  expect(doubleError > -whole && doubleError <= whole).toBe(true);
});

property([cases])('what is refunded whole gives the fee back whole', ({ feeMinor, capturedMinor }) => {
  expect(feeShare(feeMinor, 0, { amountMinor: capturedMinor, capturedMinor })).toBe(feeMinor);
});
