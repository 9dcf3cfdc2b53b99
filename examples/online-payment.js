/** An online payment with a 3DS challenge, answered as a browser does, and a partial refund. */
import { check, main, pay } from './api.js';

/** @import { Api, Json } from './api.js' */

/** A test card whose issuer requires a 3DS challenge. */
const CHALLENGE_CARD = { number: '4938730000000001', expiryMonth: '12', expiryYear: '2035', cvc: '123' };

/** @param {Api} api */
export async function run(api) {
  const session = await api.post('/v1/payment-sessions', {
    amount: 1250,
    currency: 'GBP',
    customerEmail: 'sam@example.com',
    returnUrl: 'https://shop.example/done',
    metadata: { order: '42' },
  });
  api.say(`payment session created: ${session.id}`);

  const front = api.front();
  const identify = await pay(api, session, CHALLENGE_CARD);
  check('3DS device identification is required', identify.requiredAction.type, 'Identify');
  const challenged = await front.post('/v1/payment-sessions/continue-payment', {
    clientSecret: session.clientSecret,
    threeDs: { fingerprint: encoded({ threeDSCompInd: 'Y' }) },
  });
  check('a 3DS challenge is required', challenged.requiredAction.type, 'Challenge');
  api.say('the issuer challenges the cardholder');

  const returned = await answerChallenge(challenged.requiredAction.challenge);
  check('return URL', returned, `https://shop.example/done?ps=${session.id}`);
  const paid = await front.get(`/v1/payment-sessions/${session.id}?clientSecret=${session.clientSecret}`);
  check('payment status', paid.status, 'Captured');
  api.say('the cardholder is authenticated, and the payment captured');

  const refund = await api.post(`/v1/payment-sessions/${session.id}/refunds`, { amount: 250 });
  check('refund', [refund.type, refund.amount, refund.status], ['Refund', 250, 'Succeeded']);
  const after = await api.get(`/v1/payment-sessions/${session.id}`);
  check('refunded amount', after.refundedAmount, 250);
  api.say('250 pence refunded');
}

/**
 * Answers the challenge: opens the issuer's page, submits the test code, and returns the URL of the redirect.
 * @param {Json} challenge
 */
async function answerChallenge({ acsUrl, cReq }) {
  const page = await (await post(acsUrl, { creq: cReq })).text();
  const action = /<form[^>]+action="([^"]+)"/.exec(page)[1];
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, value]));
  const answer = await post(new URL(action, acsUrl).href, { ...fields, answer: 'approve', code: '123456' });
  return answer.headers.get('location');
}

/**
 * @param {string} url
 * @param {Record<string, string>} fields
 */
function post(url, fields) {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}

/** @param {object} message */
function encoded(message) {
  return Buffer.from(JSON.stringify(message)).toString('base64');
}

await main(import.meta.filename, run);
