/** What the ledger says of the wrong integration, by the drill. */
export const LOSSES: Record<string, RegExp> = {
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
  'unknown-outcome': /order-1 was charged 2 times/,
  'answer-after-giving-up':
    /17\.42 GBP were taken for the order order-1, and the shop says that it is not paid/,
  'reversed-approval': /order-1 is paid, and no money was taken/,
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
