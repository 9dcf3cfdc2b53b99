/** A subscription over a year: twelve payments, a pause, and a balance that matches its transactions. */
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
  check('subscription status', started.status, 'Pending');
  const first = await pay(shop, started.paymentSessions.initial);
  check('first payment', first.status, 'Captured');
  api.say(`${started.id} is active; the card is stored for the next payments`);

  await payEveryMonth(api, shop, started.id);
  const payments = await all(shop, `/v1/subscriptions/${started.id}/payment-sessions`);
  check('number of payments', payments.length, 12);
  check(
    'all are captured',
    payments.every(({ status }) => status === 'Captured'),
    true,
  );

  const balance = await total(shop);
  const movements = await all(shop, '/v1/balance-transactions');
  const sum = movements.reduce((net, movement) => net + movement.net, 0);
  check('the balance is the sum of its transactions', balance, sum);
  check('balance', balance, 12 * 1_500);
  api.say(`after a year: 12 payments, a balance of ${balance} pence, ${sum} by its transactions`);
}

/**
 * Advances the clock month by month to the end of the subscription, with a pause of one month.
 * @param {Api} api
 * @param {Api} shop
 * @param {string} id
 */
async function payEveryMonth(api, shop, id) {
  const path = `/v1/subscriptions/${id}`;
  let paused = false;
  for (let month = 1; month <= 16; month++) {
    const now = await afterBilling(shop, path);
    if (now.status === 'Ended') return;
    if (now.billingDetail.currentCycle === 4 && !paused) {
      paused = true;
      await shop.patch(`${path}/pause`, { reason: 'travelling' });
    }
    if (now.status === 'Paused') {
      await shop.patch(`${path}/resume`);
      api.say('paused for a month and resumed');
      continue;
    }
    await wait(api, { days: 31 });
  }
  check('subscription status', (await afterBilling(shop, path)).status, 'Ended');
}

/**
 * Returns the subscription when no billing is due any more.
 * @param {Api} shop
 * @param {string} path
 */
async function afterBilling(shop, path) {
  return until('no billing is due', async () => {
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
