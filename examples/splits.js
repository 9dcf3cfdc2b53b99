/** One payment of a marketplace, captured parcel by parcel, divided between two sellers, refunded in part. */
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
  check('the payment is', (await pay(api, session)).status, 'Approved');
  const path = `/v1/payment-sessions/${session.id}`;

  const first = await api.post(`${path}/captures`, {
    amount: 4_000,
    captureType: 'NotFinal',
    splits: { items: [{ accountId: potter, amount: 3_500, fee: { amount: 200 }, description: 'Two bowls' }] },
  });
  check('it waits for the second parcel', (await api.get(path)).status, 'Approved');
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
  check('all of it is captured', (await api.get(path)).status, 'Captured');
  check('the potter has', await total(api.as(potter)), 3_500 - 200 + 500);
  check('the weaver has', await total(api.as(weaver)), 5_000);
  api.say('two parcels captured: 38.00 to the potter, 50.00 to the weaver');

  // The rug came with a hole: half of its price goes back, from the weaver.
  const rug = part(second, weaver);
  await api.post(`${path}/refunds`, {
    captureTransaction: { id: second.id },
    splits: { items: [{ id: rug.id, amount: 2_500 }] },
    reason: 'a hole',
  });
  // A bowl was broken: the platform gives back its fee as well.
  const bowls = part(first, potter);
  await api.post(`${path}/refunds`, {
    captureTransaction: { id: first.id },
    splits: { items: [{ id: bowls.id, amount: 1_000, fee: { amount: 50 } }] },
  });
  check('refunded', (await api.get(path)).refundedAmount, 3_500);
  check('the weaver has', await total(api.as(weaver)), 2_500);
  check('the potter has', await total(api.as(potter)), 3_300 + 500 - 1_000 + 50);
  const types = (await all(api, `${path}/transactions?ascending=true`)).map(({ type }) => type);
  check('what moved', types, ['Authorization', 'Capture', 'Capture', 'Refund', 'Refund']);
  api.say('35.00 went back, each part from whom it had gone to');
}

/**
 * @param {Json} capture
 * @param {string} accountId
 */
function part(capture, accountId) {
  return capture.splitPaymentDetail.items.find((item) => item.accountId === accountId);
}

/** @param {Api} shop */
async function total(shop) {
  const [{ pending, cleared, available }] = (await shop.get('/v1/balances?currency=GBP')).items;
  return pending.amount + cleared.amount + available.amount;
}

await main(import.meta.filename, run);
