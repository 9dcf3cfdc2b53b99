/** Two card holders take their payments back; one dispute is won, the other lost. */
import { check, main, newShop, pay } from './api.js';

/** @import { Api, Json } from './api.js' */

/** @param {Api} api */
export async function run(api) {
  const shop = api.as(await newShop(api, 'shoes'));
  const [one, other] = [await sell(shop), await sell(shop)];
  const before = await total(shop);

  const won = await dispute(shop, one);
  const lost = await dispute(shop, other);
  check('a dispute takes the money at once', await total(shop), before - 10_000);
  api.say('two payments of 50.00 are disputed, and the money is gone');

  const form = new FormData();
  form.set('category', 'Evidence');
  form.set('file', new File(['signed by Sam, 12:04'], 'slip.csv', { type: 'text/csv' }));
  const slip = await shop.upload('/v1/files', form);
  const answered = await shop.patch(`/v1/disputes/${won.id}/evidence`, {
    text: { uncategorised: 'He came to the shop and signed for the parcel' },
    files: { proofOfDelivery: { id: slip.id } },
  });
  check('the evidence', Object.keys(answered.evidence).sort(), ['files', 'text']);
  check('challenged', (await shop.post(`/v1/disputes/${won.id}/challenge`)).status, 'Challenged');

  await shop.patch(`/v1/disputes/${lost.id}/evidence`, { text: { uncategorised: 'We think it was him' } });
  await shop.post(`/v1/disputes/${lost.id}/challenge`);

  await api.post(`/sandbox/disputes/${won.id}/outcome`, { status: 'Won' });
  await api.post(`/sandbox/disputes/${lost.id}/outcome`, { status: 'Lost' });
  check('won', (await shop.get(`/v1/disputes/${won.id}`)).status, 'Won');
  check('lost', (await shop.get(`/v1/disputes/${lost.id}`)).status, 'Lost');
  check('what was won came back', await total(shop), before - 5_000);
  api.say('one is won, and its money is back; the other is lost');
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
  check('the dispute is', opened.status, 'Open');
  return opened;
}

/** @param {Api} shop */
async function total(shop) {
  const [{ pending, cleared, available }] = (await shop.get('/v1/balances?currency=GBP')).items;
  return pending.amount + cleared.amount + available.amount;
}

await main(import.meta.filename, run);
