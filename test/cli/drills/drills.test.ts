import { expect, test } from 'vitest';
import { DRILLS } from '../../../cli/drills/drills.ts';
import { playInWorld } from './drill-world.ts';

/** What the ledger says of the wrong integration. */
const LOSSES: Record<string, RegExp> = {
  'lost-result': /17\.42 GBP were taken for the order order-1, and the shop says that it is not paid/,
  'lost-reply': /order-1 was charged 2 times/,
  'server-unavailable': /order-1 was charged 2 times/,
  'cancel-race': /17\.42 GBP were taken for the order order-1, and the shop says that it is not paid/,
  'wrong-payment-cancelled': /order-2 is paid, and no money was taken/,
  'late-approval': /17\.42 GBP were taken for the order order-1, and the shop says that it is not paid/,
  'power-cut': /17\.42 GBP were taken for the order order-1, and the shop says that it is not paid/,
  'network-down': /17\.42 GBP were taken for the order order-1, and the shop says that it is not paid/,
  'paper-out': /order-1 was charged 2 times/,
  'receipt-not-confirmed': /order-1 is paid, and no money was taken/,
  'double-submit': /order-1 was charged 2 times/,
  'payment-unavailable': /order-1 is paid, and no money was taken/,
  'forgotten-capture': /order-1 is paid, and no money was taken/,
  'refund-twice': /has refunded 5\.00 GBP of the order order-1, and 10\.00 GBP went back/,
  'rate-limited': /has refunded 5\.00 GBP of the order order-1, and 0\.00 GBP went back/,
  'duplicate-webhook': /has 34\.84 GBP for the order order-1, and 17\.42 GBP were taken/,
  'duplicate-webhook-at-once': /has 34\.84 GBP for the order order-1, and 17\.42 GBP were taken/,
  'webhook-out-of-order':
    /17\.42 GBP were taken for the order order-1, and the shop says that it is not paid/,
  'webhook-before-reply':
    /17\.42 GBP were taken for the order order-1, and the shop says that it is not paid/,
  'late-webhook': /17\.42 GBP were taken for the order order-1, and the shop says that it is not paid/,
  'dispute-while-away': /a dispute was lost because nobody answered it in time: 17\.42 GBP/,
};

test('drills: each has a loss that is expected of it', () => {
  expect(Object.keys(LOSSES), 'LOSSES of this test has a row for each drill, in their order').toEqual(
    Object.keys(DRILLS),
  );
});

test.each(Object.entries(DRILLS))(
  'drill %s: its faults strike, the wrong integration loses what the story says, and the right one nothing',
  async (name, drill) => {
    const wrong = await playInWorld(name, drill, false);
    const right = await playInWorld(name, drill, true);
    const places = new Set(drill.faults.map(({ at }) => at));
    for (const { strikes, steps } of [wrong, right]) {
      expect(new Set(strikes.map(({ at }) => at))).toEqual(places);
      expect(steps.filter(({ who }) => who === 'fault').map(({ text }) => text)).toEqual(
        strikes.map(({ text }) => text),
      );
    }
    expect([wrong.inconclusive, right.inconclusive]).toEqual([null, null]);
    expect([wrong.verdict, right.verdict]).toEqual([expect.stringMatching(LOSSES[name]!), null]);
  },
);
