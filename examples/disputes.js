/** Two cardholders dispute their payments. One dispute is won, the other is lost. */
import { check, main, newShop, pay } from './api.js';

/** @import { Api, Json } from './api.js' */

/** @param {Api} api */
export async function run(api) {
  const shop = api.as(await newShop(api, 'shoes'));
  const [one, other] = [await sell(shop), await sell(shop)];
  const before = await total(shop);

  const won = await dispute(shop, one);
  const lost = await dispute(shop, other);
  check('the balance after two disputes', await total(shop), before - 10_000);
  api.say('two payments of 50.00 are disputed: 100.00 is taken from the balance');

  const form = new FormData();
  form.set('category', 'Evidence');
  form.set('file', new File(['signed by Sam, 12:04'], 'slip.csv', { type: 'text/csv' }));
  const slip = await shop.upload('/v1/files', form);
  const updated = await shop.patch(`/v1/disputes/${won.id}/evidence`, {
    text: { uncategorised: 'The customer signed for the parcel in the shop' },
    files: { proofOfDelivery: { id: slip.id } },
  });
  check('evidence', Object.keys(updated.evidence).sort(), ['files', 'text']);
  check('challenged', (await shop.post(`/v1/disputes/${won.id}/challenge`)).status, 'Challenged');

  await shop.patch(`/v1/disputes/${lost.id}/evidence`, {
    text: { uncategorised: 'The customer made this payment' },
  });
  await shop.post(`/v1/disputes/${lost.id}/challenge`);

  await api.post(`/sandbox/disputes/${won.id}/outcome`, { status: 'Won' });
  await api.post(`/sandbox/disputes/${lost.id}/outcome`, { status: 'Lost' });
  check('won', (await shop.get(`/v1/disputes/${won.id}`)).status, 'Won');
  check('lost', (await shop.get(`/v1/disputes/${lost.id}`)).status, 'Lost');
  check('the balance after one won dispute', await total(shop), before - 5_000);
  api.say('one dispute is won, and 50.00 is returned; the other is lost');
}

/** @param {Api} shop */
async function sell(shop) {
  const body = { amount: 5_000, currency: 'GBP', customerEmail: 'sam@example.com' };
  return pay(shop, await shop.post('/v1/payment-sessions', body));
}

/**
 * @param {Api} shop
 * @param {Json} session
 */
async function dispute(shop, session) {
  const opened = await shop.post(`/sandbox/payment-sessions/${session.id}/disputes`, {
    category: 'CardholderDispute',
  });
  check('dispute status', opened.status, 'Open');
  return opened;
}

/** @param {Api} shop */
async function total(shop) {
  const [{ pending, cleared, available }] = (await shop.get('/v1/balances?currency=GBP')).items;
  return pending.amount + cleared.amount + available.amount;
}

await main(import.meta.filename, run);
