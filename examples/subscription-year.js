/** A subscription over a year: twelve payments, a pause, and books that add up. */
import { all, check, main, newShop, pay, until, wait } from './api.js';

/** @import { Api } from './api.js' */

/** @param {Api} api */
export async function run(api) {
  const shop = api.as(await newShop(api, 'gym'));
  const customer = await shop.post('/v1/customers', { email: 'sam@example.com', firstName: 'Sam' });
  const started = await shop.post('/v1/subscriptions', {
    customer: { id: customer.id },
    description: 'Membership',
    price: { amount: 1_500, currency: 'GBP', interval: { unit: 'Months', count: 1, times: 12 } },
  });
  check('it waits for its first payment', started.status, 'Pending');
  const first = await pay(shop, started.paymentSessions.initial);
  check('the first payment is', first.status, 'Captured');
  api.say(`${started.id} has begun; the card is kept for the rest`);

  await payEveryMonth(api, shop, started.id);
  const payments = await all(shop, `/v1/subscriptions/${started.id}/payment-sessions`);
  check('payments', payments.length, 12);
  check(
    'captured',
    payments.every(({ status }) => status === 'Captured'),
    true,
  );

  const balance = await total(shop);
  const movements = await all(shop, '/v1/balance-transactions');
  const sum = movements.reduce((net, movement) => net + movement.net, 0);
  check('the balance is the sum of its transactions', balance, sum);
  check('the balance', balance, 12 * 1_500);
  api.say(`a year later: 12 payments, ${balance} pence on the balance, and it is ${sum} by its transactions`);
}

/**
 * Month by month to the end, with a month of rest in spring.
 * @param {Api} api
 * @param {Api} shop
 * @param {string} id
 */
async function payEveryMonth(api, shop, id) {
  const path = `/v1/subscriptions/${id}`;
  let paused = false;
  for (let month = 1; month <= 16; month++) {
    const now = await settled(shop, path);
    if (now.status === 'Ended') return;
    if (now.billingDetail.currentCycle === 4 && !paused) {
      paused = true;
      await shop.patch(`${path}/pause`, { reason: 'travelling' });
    }
    if (now.status === 'Paused') {
      await shop.patch(`${path}/resume`);
      api.say('it was paused for a month');
      continue;
    }
    await wait(api, { days: 31 });
  }
  check('it is', (await settled(shop, path)).status, 'Ended');
}

/**
 * The subscription once what was due is done: its next billing moment lies ahead.
 * @param {Api} shop
 * @param {string} path
 */
async function settled(shop, path) {
  return until('what was due is done', async () => {
    const now = await shop.get(path);
    const { nowTimestamp } = await shop.get('/sandbox/clock');
    const next = now.billingDetail.nextBillingTimestamp;
    return (now.status !== 'Active' || next === undefined || next > nowTimestamp) && now;
  });
}

/** @param {Api} shop */
async function total(shop) {
  const [{ pending, cleared, available }] = (await shop.get('/v1/balances?currency=GBP')).items;
  return pending.amount + cleared.amount + available.amount;
}

await main(import.meta.filename, run);
