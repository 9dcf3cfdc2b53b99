import { expect, test } from 'vitest';
import { CARDS, card, STORE } from '../../../kit/checkout.ts';
import { paymentServer } from './payment-server.ts';

const TOKEN = { number: CARDS.challenge, expiryMonth: '12', expiryYear: '2030' };
const PARAMETERS = {
  authenticationParameters: { eci: '05', authenticationValue: 'AAABBEg0VhI0VniQEjRWAAAAAAA=' },
};

/** Attempts with the secret key, as the shop's server does. */
async function shopServer() {
  const server = await paymentServer();
  const attempt = (session: { clientSecret: string }, body: object) =>
    server.api.post('/v1/payment-sessions/attempt-payment', { clientSecret: session.clientSecret, ...body });
  return { ...server, attempt };
}

test('walletNetworkToken: pays like a card in a wallet, without a challenge', async () => {
  const { shop, attempt, services } = await shopServer();
  const paid = await attempt(await shop.session(), {
    walletNetworkToken: { ...TOKEN, type: 'ApplePay' },
    ...PARAMETERS,
  });
  expect(paid.body).toMatchObject({
    status: 'Captured',
    paymentMethod: { card: { scheme: 'Visa', last4: '0002' }, wallet: { type: 'ApplePay' } },
  });
  const untyped = await attempt(await shop.session(), { walletNetworkToken: TOKEN });
  expect(untyped.body).toMatchObject({ status: 'Captured' });
  expect(untyped.body.paymentMethod).not.toHaveProperty('wallet');
  const tables = await services.store.all('SELECT * FROM payment_methods');
  expect(JSON.stringify([paid.body, untyped.body, tables])).not.toContain(CARDS.challenge);
});

test('walletNetworkToken: is declined with a number of no scheme, or once it has expired', async () => {
  const { shop, attempt } = await shopServer();
  const lastError = async (change: object) =>
    (await attempt(await shop.session(), { walletNetworkToken: { ...TOKEN, ...change } })).body.lastError;
  expect(await lastError({ number: '9999999999999999' })).toBe('invalid_card_number');
  expect(await lastError({ expiryYear: '2020' })).toBe('expired_card');
});

test('walletNetworkToken: requires the secret key, and excludes the other instruments', async () => {
  const { shop, attempt } = await shopServer();
  const session = await shop.session();
  const refused = await shop.attempt(session, { walletNetworkToken: TOKEN });
  expect([refused.status, refused.body.errors[0].message]).toEqual([
    403,
    'this request requires the secret API key',
  ]);
  const both = await attempt(session, { walletNetworkToken: TOKEN, cardDetails: card() });
  expect([both.status, both.body.errors[0].message]).toEqual([
    400,
    'send exactly one of cardDetails, walletDetails, walletNetworkToken and paymentMethod',
  ]);
  for (const walletNetworkToken of [{}, { number: TOKEN.number }, { ...TOKEN, type: 'Cash' }])
    expect((await attempt(session, { walletNetworkToken })).status).toBe(400);
  const series = await shop.session({ paymentType: 'Unscheduled' });
  expect((await attempt(series, { walletNetworkToken: TOKEN })).status).toBe(400);
  expect((await attempt(series, { walletNetworkToken: TOKEN, ...STORE })).body.status).toBe('Captured');
});

test('walletNetworkToken: pays a new session at once, by attemptPayment', async () => {
  const { shop } = await shopServer();
  const paid = await shop.create({ attemptPayment: { walletNetworkToken: TOKEN }, ...PARAMETERS });
  expect([paid.status, paid.body]).toMatchObject([
    200,
    { status: 'Captured', customerEmail: 'sam@example.com' },
  ]);
  const unnamed = { customerEmail: undefined, attemptPayment: { walletNetworkToken: TOKEN } };
  expect((await shop.create(unnamed)).body.errors[0].message).toMatch(/^customerEmail is required/);
  const none = await shop.create({ attemptPayment: {} });
  const both = await shop.create({
    attemptPayment: { walletNetworkToken: TOKEN, paymentMethod: { id: 'pmt_x' } },
  });
  for (const { status, body } of [none, both])
    expect([status, body.errors[0].message]).toEqual([
      400,
      'send exactly one of attemptPayment.paymentMethod and attemptPayment.walletNetworkToken',
    ]);
});

test('authenticationParameters: a card that is attempted with them is not challenged', async () => {
  const { shop } = await shopServer();
  const session = await shop.session();
  const paid = await shop.pay(session, CARDS.challenge, { authenticationParameters: { eci: '07' } });
  expect(paid).toMatchObject({ status: 'Captured' });
  expect(JSON.stringify(paid)).not.toContain('"eci"');
  const other = await shop.session();
  const { body } = await shop.attempt(other, { cardDetails: card(), authenticationParameters: {} });
  expect(body.errors).toMatchObject([{ message: 'authenticationParameters.eci is required' }]);
  expect(await shop.pay(other, CARDS.challenge)).toMatchObject({ status: 'PendingAction' });
});

const ACTIONS = ['frictionless', 'identify', 'identifyThenChallenge', 'challenge'] as const;

/** What a browser is asked for, step by step, until the payment is captured. */
test.each([
  ['NoPreference', ['', 'Identify', 'Identify Challenge', 'Challenge']],
  ['NoChallengeRequested', ['', 'Identify', 'Identify', 'Challenge']],
  ['TransactionRiskAnalysisAlreadyPerformed', ['', 'Identify', 'Identify', 'Challenge']],
  ['ChallengeRequested', ['Challenge', 'Identify Challenge', 'Identify Challenge', 'Challenge']],
])('challengeIndicator: with %s', async (challengeIndicator, expected) => {
  const { shop } = await paymentServer();
  const encode = (message: object) => Buffer.from(JSON.stringify(message)).toString('base64');
  const asked: string[] = [];
  for (const kind of ACTIONS) {
    const session = await shop.session({ paymentSettings: { threeDs: { challengeIndicator } } });
    let { body } = await shop.attempt(session, { cardDetails: card(CARDS[kind]) });
    const steps: string[] = [];
    while (body.status === 'PendingAction') {
      steps.push(body.requiredAction.type);
      const identifying = body.requiredAction.type === 'Identify';
      const answer = identifying
        ? { fingerprint: encode({}) }
        : { challengeResult: encode({ transStatus: 'Y' }) };
      ({ body } = await shop.goOn(session, answer));
    }
    expect(body).toMatchObject({ status: 'Captured', paymentSettings: { threeDs: { challengeIndicator } } });
    asked.push(steps.join(' '));
  }
  expect(asked).toEqual(expected);
});

test('challengeIndicator: can be changed by an update, has no effect on stored cards, and another value is refused', async () => {
  const { shop } = await paymentServer();
  const requested = { paymentSettings: { threeDs: { challengeIndicator: 'ChallengeRequested' } } };
  const session = await shop.session();
  expect((await shop.update(session, requested)).status).toBe(200);
  expect(await shop.pay(session)).toMatchObject({ requiredAction: { type: 'Challenge' } });
  const first = await shop.captured({}, STORE);
  const again = await shop.session({ ...requested, customerDetails: { id: first.customerId } });
  const paymentMethod = { id: first.paymentMethod.tokenizedDetails.id };
  expect((await shop.attempt(again, { paymentMethod })).body.status).toBe('Captured');
  const wrong = { paymentSettings: { threeDs: { challengeIndicator: 'Nonsense' } } };
  for (const { status, body } of [await shop.create(wrong), await shop.update(await shop.session(), wrong)])
    expect([status, body.errors[0].code, body.errors[0].message]).toEqual([
      400,
      'invalid_field',
      expect.stringContaining('paymentSettings.threeDs.challengeIndicator must be one of: [NoPreference, '),
    ]);
});
