import { BANK_ACCOUNT } from '../../cli/trigger/account-paths.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCheckout } from '../kit/checkout.ts';
import { ledgerProblems } from '../kit/ledger.ts';
import { startWorld } from '../../testing/world/world.ts';
import { summed } from './payout-sum.ts';

const amount = fc.integer({ min: 100, max: 5_000 });
const steps = fc.oneof(
  fc.record({ step: fc.constant('sell' as const), amount, platformFee: fc.nat({ max: 99 }) }),
  fc.record({ step: fc.constant('refund' as const), amount, refundPlatformFee: fc.boolean() }),
  fc.record({ step: fc.constant('transferIn' as const), amount }),
  fc.record({ step: fc.constant('transferOut' as const), amount }),
  fc.record({ step: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 4 }) }),
  fc.record({
    step: fc.constant('payOut' as const),
    percent: fc.constantFrom(1, 30, 70, 99, 100, 100),
    outcome: fc.constantFrom(undefined, 'Returned', 'Recalled'),
  }),
);

test('manual payouts: calculation and balance transactions of each add up to its amount, whatever happened before', async () => {
  let payouts = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 6, maxLength: 20 }), async (history) => {
      const world = await startWorld();
      try {
        const path = `/v1/accounts/${world.subAccountId}`;
        const api = world.api.as(world.subAccountId);
        const shop = openCheckout(api);
        await world.api.patch(path, { settings: { payouts: { schedule: { type: 'Manual' } } } });
        let method = (await world.api.post(`${path}/payout-methods`, BANK_ACCOUNT)).body;
        const sales: object[] = [];
        const available = async () =>
          (await api.get('/v1/balances?currency=GBP')).body.items[0].available.amount;

        const payOut = async (percent: number, outcome?: string) => {
          const has = await available();
          const wanted = Math.floor((has * percent) / 100);
          if (wanted < 100) return;
          const order = { amount: wanted, currency: 'GBP', payoutMethodId: method.id };
          const { status, body } = await world.api.post(`${path}/payouts`, order);
          expect(status, JSON.stringify(body)).toBe(200);
          payouts++;
          expect(body.payoutCalculation.payoutAmount).toBe(wanted);
          expect(summed(body.payoutCalculation)).toBe(wanted);
          const { items } = (await api.get(`/v1/balance-transactions?payoutId=${body.id}&limit=50`)).body;
          const contained = items.filter(({ type }: { type: string }) => type !== 'Payout');
          expect(contained.reduce((sum: number, { net }: { net: number }) => sum + net, 0)).toBe(wanted);
          expect(await available()).toBe(has - wanted);
          if (outcome === undefined) return;
          await world.advance({ minutes: 1 });
          await world.api.post(`/sandbox/payouts/${body.id}/outcome`, { status: outcome });
          if (outcome !== 'Returned') return;
          // A returned payout makes the method Invalid.
          await world.api.delete(`${path}/payout-methods/${method.id}`);
          method = (await world.api.post(`${path}/payout-methods`, BANK_ACCOUNT)).body;
        };

        // There is something to pay out in every run.
        await shop.captured({ amount: 20_000, platformFee: 750 });
        await world.advance({ minutes: 6 * 24 * 60 });
        await payOut(40);
        for (const each of history) {
          if (each.step === 'sell') {
            const { amount: sold, platformFee } = each;
            sales.push(await shop.captured({ amount: sold, ...(platformFee > 0 && { platformFee }) }));
          } else if (each.step === 'refund' && sales.length > 0) {
            const { amount: back, refundPlatformFee } = each;
            await shop.move(sales.at(-1), 'refunds', { amount: back, refundPlatformFee });
          } else if (each.step === 'transferIn' || each.step === 'transferOut') {
            const side = each.step === 'transferIn' ? 'destination' : 'source';
            const { amount: moved } = each;
            await world.api.post('/v1/transfers', {
              amount: moved,
              currency: 'GBP',
              [side]: { accountId: world.subAccountId },
            });
          } else if (each.step === 'wait') {
            await world.advance({ minutes: each.days * 24 * 60 });
          } else if (each.step === 'payOut') {
            await payOut(each.percent, each.outcome);
          }
        }
        await payOut(100);
        expect(await ledgerProblems(world)).toEqual([]);
      } finally {
        await world.close();
      }
    }),
    { numRuns: 40 },
  );
  // One in each run, and most end with another.
  expect(payouts).toBeGreaterThan(40);
});
