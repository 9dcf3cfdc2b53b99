import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCheckout } from '../kit/checkout.ts';
import { ledgerProblems } from '../kit/ledger.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

const ANSWERS = [
  'Completed',
  'Failed',
  'Returned',
  'Recalled',
  'PendingAccountVerification',
  'InProgress',
  'Cancelled',
] as const;

type Deed =
  | { what: 'sell'; amount: number; platformFee: number }
  | { what: 'refund'; which: number; amount: number }
  | { what: 'dispute'; which: number }
  | { what: 'decide'; which: number; challenge: boolean; status: 'Won' | 'Lost' | 'Cancelled' }
  | { what: 'payOut'; amount: number }
  | { what: 'answer'; which: number; status: (typeof ANSWERS)[number] }
  | { what: 'repair' }
  | { what: 'wait'; hours: number };

const which = fc.nat(2);
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('sell' as const),
      amount: fc.integer({ min: 30, max: 3000 }),
      platformFee: fc.nat(30),
    }),
  },
  fc.record({ what: fc.constant('refund' as const), which, amount: fc.integer({ min: 1, max: 2000 }) }),
  fc.record({ what: fc.constant('dispute' as const), which }),
  fc.record({
    what: fc.constant('decide' as const),
    which,
    challenge: fc.boolean(),
    status: fc.constantFrom('Won' as const, 'Lost' as const, 'Cancelled' as const),
  }),
  fc.record({ what: fc.constant('payOut' as const), amount: fc.integer({ min: 1, max: 3000 }) }),
  fc.record({
    what: fc.constant('answer' as const),
    which,
    status: fc.constantFrom(...ANSWERS),
  }),
  fc.record({ what: fc.constant('repair' as const) }),
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 96 }) }),
  },
);

test(
  'payouts: after any sales, refunds and disputes, each payout is the sum of its balance transactions',
  { tags: ['spec:2.6/payout-amount'], timeout: 120_000 },
  async () => {
    let paidOut = 0;
    let disputed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(deed, { minLength: 15, maxLength: 30 }),
        async (manual, deeds) => {
          const world = await startWorld();
          try {
            const seen = await carryOut(world, manual, deeds);
            paidOut += seen.payouts.length;
            disputed += seen.disputes;
          } finally {
            await world.close();
          }
        },
      ),
      { numRuns: 10, seed: 20260105 },
    );
    // The deeds reach what this is about.
    expect([paidOut, disputed].every((count) => count > 5)).toBe(true);
  },
);

async function carryOut(world: World, manual: boolean, deeds: readonly Deed[]) {
  const { api, subAccountId } = world;
  const path = `/v1/accounts/${subAccountId}`;
  const shop = openCheckout(api.as(subAccountId));
  const sold: Json[] = [];
  let accountNumber = 10_000_000;
  const bankAccount = () => ({
    accountNumberType: 'UnitedKingdom',
    accountNumber: String(accountNumber++),
    bankIdType: 'SortCode',
    bankId: '000001',
  });
  const created = { type: 'BankAccount', currency: 'GBP', country: 'GB', bankAccount: bankAccount() };
  const method = (await api.post(`${path}/payout-methods`, created)).body;
  const schedule = { type: manual ? 'Manual' : 'Automatic' };
  await api.patch(path, { settings: { payouts: { schedule } } });
  const disputes = async (): Promise<Json[]> => (await api.get('/v1/disputes?limit=50')).body.items;
  const payouts = async (): Promise<Json[]> => (await api.get(`${path}/payouts?limit=50`)).body.items;
  const post = async (to: string, body: object) => {
    const { status } = await api.post(to, body);
    expect([to, status >= 500]).toEqual([to, false]);
  };

  for (const done of deeds) {
    switch (done.what) {
      case 'sell':
        sold.push(await shop.captured({ amount: done.amount, platformFee: done.platformFee }));
        break;
      case 'refund':
        if (sold[done.which]) await shop.move(sold[done.which], 'refunds', { amount: done.amount });
        break;
      case 'dispute':
        if (sold[done.which]) await post(`/sandbox/payment-sessions/${sold[done.which].id}/disputes`, {});
        break;
      case 'decide': {
        const found = (await disputes())[done.which];
        if (!found) break;
        await api.patch(`/v1/disputes/${found.id}/evidence`, { text: { uncategorised: 'he was here' } });
        if (done.challenge) await post(`/v1/disputes/${found.id}/challenge`, {});
        await post(`/sandbox/disputes/${found.id}/outcome`, { status: done.status });
        break;
      }
      case 'payOut':
        await post(`${path}/payouts`, { amount: done.amount, currency: 'GBP', payoutMethodId: method.id });
        break;
      case 'answer': {
        const found = (await payouts())[done.which];
        if (found) await post(`/sandbox/payouts/${found.id}/outcome`, { status: done.status });
        break;
      }
      case 'repair':
        await api.patch(`${path}/payout-methods/${method.id}`, { bankAccount: bankAccount() });
        break;
      case 'wait':
        await world.advance({ minutes: done.hours * 60 });
    }
  }
  const made = await payouts();
  for (const payout of made) await addsUp(world, payout);
  expect(await ledgerProblems(world)).toEqual([]);
  return { payouts: made, disputes: (await disputes()).length };
}

/** The balance transactions of a payout come to its amount, which its calculation says too. */
async function addsUp(world: World, payout: Json): Promise<void> {
  const query = `payoutId=${payout.id}&limit=50`;
  const { items } = (await world.api.as(world.subAccountId).get(`/v1/balance-transactions?${query}`)).body;
  const others = items.filter(({ type }: Json) => type !== 'Payout');
  expect(others.reduce((sum: number, { net }: Json) => sum + net, 0)).toBe(payout.amount);
  expect(payout.payoutCalculation.payoutAmount).toBe(payout.amount);
  const captured = others.filter(({ type }: Json) => type === 'TransactionCapture');
  expect(payout.payoutCalculation.numberOfPaymentsCaptured).toBe(captured.length);
  expect(payout.payoutCalculation.paymentsCapturedAmount).toBe(
    captured.reduce((sum: number, { amount }: Json) => sum + amount, 0),
  );
}
