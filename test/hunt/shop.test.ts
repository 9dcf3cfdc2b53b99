import { expect, test } from 'vitest';
import { openPayments as openRightPayments } from '../../examples/shop/right/payments.js';
import { openPayments as openWrongPayments } from '../../examples/shop/wrong/payments.js';
import { hunt } from '../../testing/hunt/hunt.ts';
import { dayAtTheShop } from './shop-hunt.ts';
import { countFrom } from '../kit/count-from.ts';

// More are tried by HUNT_PLANS=1000 npx vitest run test/hunt/shop.test.ts.
const PLANS = countFrom('HUNT_PLANS', 12);
const SEED = process.env['HUNT_SEED'] ?? 'one';

test('hunt: finds faults with which the wrong shop of the examples loses money', async () => {
  const { found } = await hunt({ ...dayAtTheShop(openWrongPayments), seed: SEED });
  expect(found?.plan.length).toBeLessThanOrEqual(3);
});

test('hunt: raises no alarm about the right shop of the examples', async () => {
  const { found, plans } = await hunt({
    ...dayAtTheShop(openRightPayments),
    seed: SEED,
    plans: PLANS,
    seconds: 3_600,
  });
  expect(found).toBeUndefined();
  expect(plans).toBe(PLANS + 1);
}, 3_600_000);
