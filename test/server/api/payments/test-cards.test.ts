import { expect, test } from 'vitest';
import { MAGIC_DECLINES, ONLINE_DECLINES, TEST_CARDS } from '../../../../protocol/test-cards.ts';
import { card, CARDS, encoded, type Checkout } from '../../../kit/checkout.ts';
import { paymentServer } from './payment-server.ts';

const APPLICATION = { threeDsRequestDetails: { deviceChannel: 'Application' } };

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

/** What is asked of the cardholder of a card, in order, until the payment is there. */
async function walk(shop: Checkout, number: string, change: object = {}): Promise<string[]> {
  let session: Json = await shop.session();
  session = await shop.pay(session, number, change);
  const asked: string[] = [];
  while (session.status === 'PendingAction') {
    const { type } = session.requiredAction;
    asked.push(type);
    const data =
      type === 'Challenge'
        ? { challengeResult: encoded({ transStatus: 'Y' }) }
        : { fingerprint: encoded({ threeDSCompInd: 'N' }) };
    session = (await shop.goOn(session, data)).body;
  }
  return [...asked, session.status];
}

const AUTHENTICATED = TEST_CARDS.flatMap((row) =>
  'threeDs' in row ? [{ number: row.number, authentication: row.threeDs }] : [],
);

const STEPS = {
  frictionless: ['Captured'],
  identify: ['Identify', 'Captured'],
  identifyThenChallenge: ['Identify', 'Challenge', 'Captured'],
  challenge: ['Challenge', 'Captured'],
};

test('sandbox cards: each authenticated card takes its own steps in a browser', async () => {
  const { shop } = await paymentServer();
  for (const { number, authentication } of AUTHENTICATED) {
    expect([number, await walk(shop, number)]).toEqual([number, STEPS[authentication]]);
  }
});

test('sandbox cards: in an app the device data come before the challenge', async () => {
  const { shop } = await paymentServer();
  const inApp = { ...STEPS, challenge: STEPS.identifyThenChallenge };
  for (const { number, authentication } of AUTHENTICATED) {
    expect([number, await walk(shop, number, APPLICATION)]).toEqual([number, inApp[authentication]]);
  }
});

test('sandbox cards: other valid numbers are approved at once', async () => {
  const { shop } = await paymentServer();
  for (const number of ['4444333322221111', '4242424242424242', '2221000000000009', '378282246310005'])
    expect([number, await walk(shop, number)]).toEqual([number, ['Captured']]);
});

test('sandbox cards: a declining card declines with its own security code only', async () => {
  const { shop } = await paymentServer();
  for (const { number, cvc, code } of ONLINE_DECLINES) {
    const session = await shop.session();
    const declined = await shop.pay(session, number, { cardDetails: card(number, { cvc }) });
    expect([number, cvc, declined.status, declined.lastError]).toEqual([number, cvc, 'PendingPayment', code]);
    const paid = await shop.pay(session, number);
    expect([number, paid.status, paid.lastError]).toEqual([number, 'Captured', undefined]);
  }
});

test('sandbox cards: a security code that declines one card does not decline another', async () => {
  const { shop } = await paymentServer();
  const session = await shop.session({ entryMode: 'MOTO' });
  const cardDetails = card('5555555555554444', { cvc: '222' });
  expect(await shop.pay(session, undefined, { cardDetails })).toMatchObject({ status: 'Captured' });
});

test('sandbox cards: cards that cannot be charged are declined, not refused', async () => {
  const { shop } = await paymentServer();
  const rows: [string, object, string][] = [
    ['a wrong check digit', card('4242424242424241'), 'invalid_card_number'],
    ['too short', card('42424242'), 'invalid_card_number'],
    ['no scheme', card('6011000990139424'), 'invalid_card_number'],
    ['expired last month', card(CARDS.plain, { expiryMonth: '05', expiryYear: '2025' }), 'expired_card'],
    ['no security code', card(CARDS.plain, { cvc: undefined }), 'cvc_required'],
  ];
  for (const [label, cardDetails, code] of rows) {
    const { status, lastError } = await shop.pay(await shop.session(), undefined, { cardDetails });
    expect([label, status, lastError]).toEqual([label, 'PendingPayment', code]);
  }
  const thisMonth = card(CARDS.plain, { expiryMonth: '06', expiryYear: '2025' });
  const session = await shop.session();
  expect(await shop.pay(session, undefined, { cardDetails: thisMonth })).toMatchObject({
    status: 'Captured',
  });
});

test('sandbox cards: MOTO payments need neither authentication nor security code', async () => {
  const { shop } = await paymentServer();
  const session = await shop.session({ entryMode: 'MOTO' });
  const cardDetails = card(CARDS.challenge, { cvc: undefined });
  expect(await shop.pay(session, undefined, { cardDetails })).toMatchObject({
    status: 'Captured',
    entryMode: 'MOTO',
    paymentMethod: { checks: { cvvResponseCode: 'U' } },
  });
});

test('sandbox cards: a scheme or wallet that the payment does not accept is declined', async () => {
  const { shop } = await paymentServer();
  const without = (...disabled: string[]) =>
    shop.session({ paymentSettings: { paymentMethodOptions: { disabled } } });
  const googlePay = { cardDetails: undefined, walletDetails: { type: 'GooglePay', googlePayToken: '{}' } };
  expect(await shop.pay(await without('Amex'), '378282246310005')).toMatchObject({
    lastError: 'payment_method_option_amex_disabled',
  });
  expect(await shop.pay(await without('GooglePay'), undefined, googlePay)).toMatchObject({
    lastError: 'payment_method_option_googlepay_disabled',
  });
  expect(await shop.pay(await without('Amex'))).toMatchObject({ status: 'Captured' });
});

test('magic amounts: an amount decides only where the setting is on', async () => {
  const usual = await paymentServer();
  const magic = await paymentServer({ magicAmounts: 'on' });
  for (const [ending, code] of Object.entries(MAGIC_DECLINES)) {
    const amount = 1000 + Number(ending);
    expect(await usual.shop.captured({ amount })).toMatchObject({ status: 'Captured' });
    const declined = await magic.shop.captured({ amount });
    expect([ending, declined.status, declined.lastError]).toEqual([ending, 'PendingPayment', code]);
  }
  const asked = await magic.shop.pay(await magic.shop.session({ amount: 1901 }), CARDS.challenge);
  expect(asked.status).toBe('PendingAction');
  const challengeResult = encoded({ transStatus: 'Y' });
  expect((await magic.shop.goOn(asked, { challengeResult })).body).toMatchObject({
    lastError: 'insufficient_funds',
  });
  expect(await magic.shop.captured({ amount: 1000 })).toMatchObject({ status: 'Captured' });
});
