/** A marketplace payment: captured in two parts, split between two sellers, partially refunded. */
import { all, check, main, newShop, pay } from './api.js';

/** @import { Api, Json } from './api.js' */

/** @param {Api} api */
export async function run(api) {
  const [potter, weaver] = [await newShop(api, 'potter'), await newShop(api, 'weaver')];
  const session = await api.post('/v1/payment-sessions', {
    amount: 10_000,
    currency: 'GBP',
    customerEmail: 'sam@example.com',
    captureFlow: 'Manual',
  });
  check('payment status', (await pay(api, session)).status, 'Approved');
  const path = `/v1/payment-sessions/${session.id}`;

  const first = await api.post(`${path}/captures`, {
    amount: 4_000,
    captureType: 'NotFinal',
    splits: { items: [{ accountId: potter, amount: 3_500, fee: { amount: 200 }, description: 'Two bowls' }] },
  });
  check('status after a partial capture', (await api.get(path)).status, 'Approved');
  const second = await api.post(`${path}/captures`, {
    amount: 6_000,
    captureType: 'Final',
    splits: {
      items: [
        { accountId: weaver, amount: 5_000 },
        { accountId: potter, amount: 500 },
      ],
    },
  });
  check('status after the final capture', (await api.get(path)).status, 'Captured');
  check('balance of the potter', await total(api.as(potter)), 3_500 - 200 + 500);
  check('balance of the weaver', await total(api.as(weaver)), 5_000);
  api.say('two captures: 38.00 for the potter, 50.00 for the weaver');

  // Refunds half of the price of the rug, from the weaver.
  const rug = splitOf(second, weaver);
  await api.post(`${path}/refunds`, {
    captureTransaction: { id: second.id },
    splits: { items: [{ id: rug.id, amount: 2_500 }] },
    reason: 'damaged',
  });
  // Refunds a bowl, from the potter, with part of the platform's fee.
  const bowls = splitOf(first, potter);
  await api.post(`${path}/refunds`, {
    captureTransaction: { id: first.id },
    splits: { items: [{ id: bowls.id, amount: 1_000, fee: { amount: 50 } }] },
  });
  check('refunded amount', (await api.get(path)).refundedAmount, 3_500);
  check('balance of the weaver', await total(api.as(weaver)), 2_500);
  check('balance of the potter', await total(api.as(potter)), 3_300 + 500 - 1_000 + 50);
  const types = (await all(api, `${path}/transactions?ascending=true`)).map(({ type }) => type);
  check('transactions', types, ['Authorization', 'Capture', 'Capture', 'Refund', 'Refund']);
  api.say('35.00 refunded, each part from the seller that received it');
}

/**
 * @param {Json} capture
 * @param {string} accountId
 */
function splitOf(capture, accountId) {
  return capture.splitPaymentDetail.items.find((item) => item.accountId === accountId);
}

/** @param {Api} shop */
async function total(shop) {
  const [{ pending, cleared, available }] = (await shop.get('/v1/balances?currency=GBP')).items;
  return pending.amount + cleared.amount + available.amount;
}

await main(import.meta.filename, run);
