import { expect, onTestFinished, test } from 'vitest';
import type { HuntFacts, ShopOrder } from '../../testing/hunt/hunt.ts';
import { tryPlan } from '../../testing/hunt/tried-plan.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import { earn, EARNED_MINUTES, good, type Json } from '../journeys/one-of-each.ts';
import { openCheckout } from '../kit/checkout.ts';

const metadata = { orderId: 'order-1' };

interface Marketplace {
  /** Transfers some of the platform's money to the sub account, for the order. */
  transfer(amount: number, more?: object): Promise<void>;
  /** Pays some of the sub account's money out, for the order. */
  payOut(amount: number): Promise<Json>;
  /** Sells the order for the sub account, which pays the platform a fee. */
  sell(platformFee: number): Promise<Json>;
  /** Payments of the sub account. */
  shop: ReturnType<typeof openCheckout>;
  world: World;
}

/** What is said of a marketplace that does this without any fault, with these books, and what it was judged by. */
async function judged(
  does: (marketplace: Marketplace) => unknown,
  books: Partial<ShopOrder> | undefined,
): Promise<{ verdict: string | undefined; facts: HuntFacts | undefined }> {
  const world = await startWorld();
  onTestFinished(() => world.close());
  await earn(world, world.platformId);
  const { payoutMethodId } = await earn(world, world.subAccountId);
  await world.advance({ minutes: EARNED_MINUTES });
  const order = { orderId: 'order-1', paid: false, amount: 0, ...books };
  let facts: HuntFacts | undefined;
  const { verdict, problem } = await tryPlan(
    world,
    {
      scenario: () => does(openMarketplace(world, payoutMethodId)),
      shop: books && (() => ({ orders: [order] })),
      verdicts: [(seen) => void (facts = seen)],
      withoutVerdicts: [],
      orderMember: 'orderId',
      terminalId: undefined,
    },
    [],
  );
  if (problem !== undefined) throw problem;
  return { verdict, facts };
}

function openMarketplace(world: World, payoutMethodId: string): Marketplace {
  const { subAccountId, api } = world;
  const shop = openCheckout(api.as(subAccountId));
  return {
    world,
    async transfer(amount, more = { destination: { accountId: subAccountId } }) {
      good(await api.post('/v1/transfers', { currency: 'EUR', metadata, amount, ...more }));
    },
    async payOut(amount) {
      const body = { amount, currency: 'GBP', payoutMethodId, metadata };
      return good(await api.post(`/v1/accounts/${subAccountId}/payouts`, body));
    },
    sell: (platformFee) => shop.captured({ amount: 1742, platformFee, metadata }),
    shop,
  };
}

test('verdicts: a transfer of an order that is repeated is found, and two parts of it are none', async () => {
  const twice = await judged(async ({ transfer }) => {
    await transfer(500);
    await transfer(500);
  }, undefined);
  expect(twice.verdict).toMatch(
    /^5\.00 EUR of the order order-1 were transferred to ac_\S+ 2 times: tfr_\w+, tfr_\w+$/,
  );
  const parts = async ({ transfer, world: { subAccountId } }: Marketplace) => {
    await transfer(500);
    await transfer(300);
    await transfer(300, { source: { accountId: subAccountId } });
  };
  const { verdict, facts } = await judged(parts, { transferred: 500 });
  expect(verdict).toBeUndefined();
  expect(facts?.transfers).toMatchObject([
    { amount: 500, toSubAccount: true },
    { amount: 300, toSubAccount: true },
    { amount: 300, toSubAccount: false },
  ]);
  expect((await judged(parts, { transferred: 800 })).verdict).toBe(
    'the shop has transferred 8.00 EUR for the order order-1, and 5.00 EUR were',
  );
});

test('verdicts: equal transfers of one order are right where the books say their sum', async () => {
  const twoParts = async ({ transfer }: Marketplace) => {
    await transfer(500);
    await transfer(500);
  };
  expect((await judged(twoParts, { transferred: 1000 })).verdict).toBeUndefined();
  expect((await judged(() => {}, { transferred: 1000 })).verdict).toBe(
    'the shop has transferred 1000 minor units for the order order-1, and 0 minor units were',
  );
});

test('verdicts: a payout that is requested twice is found, and one that failed is none', async () => {
  const twice = async ({ payOut }: Marketplace) => {
    await payOut(700);
    await payOut(700);
  };
  const repeated = await judged(twice, undefined);
  expect(repeated.verdict).toMatch(
    /^7\.00 GBP of the order order-1 were paid out to ac_\S+ 2 times: po_\w+, po_\w+$/,
  );
  expect((await judged(twice, { paidOut: 1400 })).verdict).toBeUndefined();
  expect((await judged(twice, { paidOut: 700 })).verdict).toBe(
    'the shop has paid out 7.00 GBP for the order order-1, and 14.00 GBP were',
  );
  const failed = async ({ payOut, world }: Marketplace) => {
    const { id } = await payOut(700);
    good(await world.api.post(`/sandbox/payouts/${id}/outcome`, { status: 'Failed' }));
  };
  const none = await judged(failed, { paidOut: 0 });
  expect([none.verdict, none.facts?.payouts]).toEqual([undefined, []]);
});

test('verdicts: the platform fee of an order is what was collected less what was refunded', async () => {
  const sold = { paid: true, amount: 1742 };
  const sell = ({ sell: sellOne }: Marketplace) => sellOne(120);
  expect((await judged(sell, { ...sold, platformFee: 120 })).verdict).toBeUndefined();
  expect((await judged(sell, { ...sold, platformFee: 0 })).verdict).toBe(
    'the shop has a platform fee of 0.00 GBP for the order order-1, and 1.20 GBP were collected',
  );
  const refund = async ({ shop, sell: sellOne }: Marketplace) => {
    good(await shop.move(await sellOne(120), 'refunds', { amount: 1742, refundPlatformFee: true }));
  };
  const back = await judged(refund, { ...sold, refunded: 1742, platformFee: 0 });
  expect([back.verdict, back.facts?.payments.at(-1)]).toMatchObject([undefined, { platformFee: 0 }]);
});
