import { expect, test } from 'vitest';
import { card, CARDS, encoded, STORE } from '../../../kit/checkout.ts';
import { paymentServer } from './payment-server.ts';
import { expectRows } from './expect-refusals.ts';

const ADDRESS = { firstName: 'Sam', lineOne: '1 High St', country: 'GB', postalCode: 'LS1 1AA' };

test(
  'attempt-payment: a card payment is captured, and returns the permitted card details',
  { tags: ['spec:4.1/POST/payment-sessions/attempt-payment'] },
  async () => {
    const { shop } = await paymentServer();
    const session = await shop.session();
    const paid = await shop.pay(session, CARDS.frictionless, { billingAddress: ADDRESS });
    expect(paid).toMatchObject({
      id: session.id,
      status: 'Captured',
      refundedAmount: 0,
      customerEmail: 'sam@example.com',
      customerDetails: { id: expect.stringMatching(/^cus_/) },
      paymentMethod: {
        type: 'Card',
        tokenizedDetails: {
          id: expect.stringMatching(/^pmt_/),
          stored: false,
        },
        card: {
          scheme: 'Visa',
          last4: '0085',
          binDetails: {
            issuer: 'VISA',
            issuerCountry: 'GB',
          },
        },
        billingAddress: ADDRESS,
        checks: {
          avsResponseCode: 'Y',
          cvvResponseCode: 'M',
        },
      },
    });
    expect(paid).not.toHaveProperty('requiredAction');
    const [authorised, captured] = await shop.transactions(session);
    expect(authorised).toMatchObject({ type: 'Authorization', status: 'Succeeded', amount: 1250 });
    expect(captured).toMatchObject({
      type: 'Capture',
      status: 'Succeeded',
      amount: 1250,
      captureType: 'Final',
      refundedAmount: 0,
      paymentMethod: paid.paymentMethod,
    });
  },
);

test('attempt-payment: only BIN, last four and expiry of a card are stored, returned or logged', async () => {
  const { shop, services, logged, activities } = await paymentServer();
  const number = '4938730000000001';
  const session = await shop.session();
  const secret = { cardDetails: card(number, { cvc: '987' }), ...STORE };
  const asked = await shop.attempt(session, secret);
  await shop.goOn(session, { fingerprint: encoded({}) });
  const paid = await shop.goOn(session, { challengeResult: encoded({ transStatus: 'Y' }) });
  const refused = await shop.attempt(session, { cardDetails: { ...secret.cardDetails, expiryMonth: '13' } });
  expect([asked.status, paid.body.status, refused.status]).toEqual([200, 'Captured', 400]);
  const tables = await services.store.all<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table'`,
  );
  const rows = await Promise.all(tables.map(({ name }) => services.store.all(`SELECT * FROM "${name}"`)));
  const everything = JSON.stringify([rows, logged, activities, asked.body, paid.body, refused.body]);
  expect(everything).toContain('493873');
  for (const trace of [number, number.slice(0, 8), number.slice(4), '"987"']) {
    expect(everything).not.toContain(trace);
  }
});

test(
  'attempt-payment: a declined payment can be tried again, which clears the last error',
  { tags: ['spec:2.2/last-payment-error'] },
  async () => {
    const { shop } = await paymentServer();
    const session = await shop.session();
    const cardDetails = card(CARDS.declining, { cvc: '001' });
    const declined = await shop.attempt(session, { cardDetails });
    expect(declined).toMatchObject({
      status: 200,
      body: {
        status: 'PendingPayment',
        lastError: 'cvv2_failure',
        paymentMethod: {
          card: { last4: '1000' },
          checks: { cvvResponseCode: 'N' },
        },
      },
    });
    const paid = await shop.pay(session);
    expect(paid).toMatchObject({ status: 'Captured', paymentMethod: { card: { last4: '4242' } } });
    expect(paid).not.toHaveProperty('lastError');
    const kinds = (await shop.transactions(session)).map(({ type, status }) => `${type} ${status}`);
    expect(kinds).toEqual(['Authorization Failed', 'Authorization Succeeded', 'Capture Succeeded']);
  },
);

test(
  'attempt-payment: the customer is found by e-mail address in any case, or created once',
  { tags: ['spec:2.2/implicit-customer'] },
  async () => {
    const { shop, api } = await paymentServer();
    const first = await shop.captured({ customerDetails: { firstName: 'Sam' } });
    const again = await shop.captured({ customerEmail: 'SAM@example.com' });
    expect(again.customerDetails.id).toBe(first.customerDetails.id);
    const { body } = await api.get(`/v1/customers/${first.customerDetails.id}`);
    expect(body).toMatchObject({ email: 'sam@example.com', firstName: 'Sam' });

    const unnamed = await shop.session({ customerEmail: undefined });
    const paid = await shop.pay(unnamed, undefined, {
      customerDetails: { email: 'kim@example.com', mobilePhoneNumber: '+447700900000' },
    });
    expect(paid).toMatchObject({
      customerEmail: 'kim@example.com',
      customerDetails: { mobilePhoneNumber: '+447700900000' },
    });
    expect(paid.customerId).not.toBe(first.customerId);
  },
);

test(
  'attempt-payment: a named customer supplies the e-mail address, and both stay whatever the attempt sends',
  { tags: ['spec:2.2/email-of-customer'] },
  async () => {
    const { shop, api } = await paymentServer();
    const customer = (await api.post('/v1/customers', { email: 'kim@example.com' })).body;
    const session = await shop.session({ customerEmail: undefined, customerDetails: { id: customer.id } });
    expect(session).toMatchObject({ customerEmail: 'kim@example.com', customerId: customer.id });
    const paid = await shop.pay(session, undefined, { customerDetails: { email: 'other@example.com' } });
    expect(paid).toMatchObject({ customerEmail: 'kim@example.com', customerDetails: { id: customer.id } });
  },
);

test('customerEmail: can be set later, by an update or an attempt, and not changed once it is set', async () => {
  const { shop } = await paymentServer();
  const unnamed = await shop.session({ customerEmail: undefined });
  expect((await shop.update(unnamed, { customerEmail: 'sma@example.com' })).status).toBe(200);
  const [first, again] = [await shop.session({ customerEmail: undefined }), await shop.session()];
  const attempt = {
    cardDetails: card(CARDS.declining, { cvc: '222' }),
    customerDetails: { email: 'kim@example.com' },
  };
  const declined = await shop.pay(first, undefined, attempt);
  expect(declined.customerEmail).toBe('kim@example.com');
  for (const session of [unnamed, first, again]) {
    const { customerEmail } = await shop.read(session);
    const { status, body } = await shop.update(session, { customerEmail: 'other@example.com' });
    expect([status, body.errors]).toMatchObject([
      400,
      [{ message: expect.stringMatching(/^customerEmail cannot be changed/) }],
    ]);
    expect((await shop.update(session, { customerEmail, amount: 500 })).status).toBe(200);
    const elsewhere = { customerDetails: { email: 'other@example.com' } };
    expect(await shop.pay(session, undefined, elsewhere)).toMatchObject({
      status: 'Captured',
      customerEmail,
    });
  }
  expect((await shop.read(first)).customerId).toBe(declined.customerId);
});

test('customerEmail: a customer that an update names leaves the address as it is', async () => {
  const { shop, api } = await paymentServer();
  const customer = (await api.post('/v1/customers', { email: 'kim@example.com' })).body;
  const { body } = await shop.update(await shop.session(), { customerDetails: { id: customer.id } });
  expect(body).toMatchObject({ customerEmail: 'sam@example.com', customerId: customer.id });
});

test.each(['Unscheduled', 'Recurring'])(
  'attempt-payment: a card or wallet that would not be stored is refused for %s payments',
  async (paymentType) => {
    const { shop } = await paymentServer();
    const session = await shop.session({ paymentType });
    const walletDetails = { type: 'GooglePay', googlePayToken: '{}' };
    for (const attempt of [
      { cardDetails: card() },
      { cardDetails: card(), paymentMethodOptions: { store: false } },
      { cardDetails: card(), paymentMethodOptions: {} },
      { walletDetails },
    ]) {
      const { status, body } = await shop.attempt(session, attempt);
      expect([status, body.errors]).toMatchObject([
        400,
        [{ code: 'bad_request', message: expect.stringMatching(/would not be stored/) }],
      ]);
    }
    expect(await shop.transactions(session)).toEqual([]);
    const first = await shop.attempt(session, { walletDetails, ...STORE });
    expect(first.body).toMatchObject({
      status: 'Captured',
      paymentMethod: { tokenizedDetails: { stored: true } },
    });

    const later = { paymentType, previousPayment: { id: session.id } };
    const again = await shop.session(later);
    expect((await shop.attempt(again)).status).toBe(400);
    expect(await shop.pay(again, undefined, STORE)).toMatchObject({
      status: 'Captured',
      paymentMethod: { tokenizedDetails: { stored: true } },
    });
    const { id } = first.body.paymentMethod.tokenizedDetails;
    const byToken = await shop.attempt(await shop.session(later), { paymentMethod: { id } });
    expect(byToken.body).toMatchObject({ status: 'Captured' });
    const verified = await shop.session({ paymentType, amount: 0, verifyAccount: true });
    expect((await shop.attempt(verified)).status).toBe(400);
    expect(await shop.pay(verified, undefined, STORE)).toMatchObject({ status: 'Approved' });
  },
);

test.each([
  ['one word', 'Sam', 400],
  ['one word among spaces', '  Sam ', 400],
  ['nothing', '', 400],
  ['121 characters', `Sam ${'a'.repeat(117)}`, 400],
  ['120 characters', `Sam ${'a'.repeat(116)}`, 200],
  ['two words', 'Sam Reid', 200],
  ['four words', 'Ana María de León', 200],
])('attempt-payment: a cardholder name of %s', async (_what, name, status) => {
  const { shop } = await paymentServer();
  const answer = await shop.attempt(await shop.session(), { cardDetails: card(CARDS.plain, { name }) });
  expect(answer.status).toBe(status);
  if (status === 400) expect(answer.body.errors[0].message).toMatch(/^cardDetails.name must /);
});

test('attempt-payment: a stored card pays again without authentication', async () => {
  const { shop, api } = await paymentServer();
  const first = await shop.session();
  const asked = await shop.pay(first, CARDS.challenge, STORE);
  expect(asked.paymentMethod.tokenizedDetails.stored).toBe(false);
  const challengeResult = encoded({ transStatus: 'A' });
  const { body: kept } = await shop.goOn(first, { challengeResult });
  expect(kept).toMatchObject({
    paymentMethod: { tokenizedDetails: { stored: true } },
    credentialOnFileUsage: { initiator: 'Customer', sequence: 'Initial' },
  });
  const { id } = kept.paymentMethod.tokenizedDetails;
  const listed = await api.get(`/v1/customers/${kept.customerId}/payment-methods`);
  expect(listed.body.items.map((method: { id: string }) => method.id)).toEqual([id]);

  const again = await shop.session({ customerId: kept.customerId });
  const { body: paid } = await shop.attempt(again, { paymentMethod: { id } });
  expect(paid).toMatchObject({
    status: 'Captured',
    paymentMethod: {
      tokenizedDetails: {
        id,
        stored: true,
      },
    },
    credentialOnFileUsage: {
      initiator: 'Customer',
      sequence: 'Subsequent',
    },
  });
  const atOnce = await shop.create({
    customerDetails: { id: kept.customerId },
    attemptPayment: { paymentMethod: { id, cvc: '123' } },
  });
  expect(atOnce).toMatchObject({ status: 200, body: { status: 'Captured' } });
});

test('attempt-payment: a declined or unauthenticated card is not stored', async () => {
  const { shop, api } = await paymentServer();
  const cardDetails = card(CARDS.declining, { cvc: '222' });
  const declined = await shop.pay(await shop.session(), undefined, { cardDetails, ...STORE });
  const session = await shop.session();
  await shop.pay(session, CARDS.challenge, STORE);
  const { body: failed } = await shop.goOn(session, { challengeResult: encoded({ transStatus: 'N' }) });
  expect(failed).toMatchObject({ status: 'PendingPayment', lastError: '3ds_authentication_failure' });
  expect(failed).not.toHaveProperty('requiredAction');
  const listed = await api.get(`/v1/customers/${declined.customerId}/payment-methods`);
  expect(listed.body.items).toEqual([]);
});

test(
  'attempt-payment: a series starts with the customer, stores the card, and continues without the customer',
  { tags: ['spec:2.2/series'] },
  async () => {
    const { shop } = await paymentServer();
    const rebillingDetail = { amountVariance: 'Fixed', numberOfDaysBetweenPayments: 30 };
    for (const paymentType of ['Recurring', 'Unscheduled']) {
      const first = await shop.captured({ paymentType, rebillingDetail }, STORE);
      expect(first).toMatchObject({
        status: 'Captured',
        paymentMethod: { tokenizedDetails: { stored: true } },
        credentialOnFileUsage: {
          initiator: 'Customer',
          sequence: 'Initial',
        },
      });
      const later = await shop.create({
        paymentType,
        rebillingDetail,
        previousPayment: { id: first.id },
        customerDetails: { id: first.customerId },
        attemptPayment: { paymentMethod: { id: first.paymentMethod.tokenizedDetails.id } },
      });
      expect(later.body).toMatchObject({
        status: 'Captured',
        previousPayment: { id: first.id },
        rebillingDetail,
        credentialOnFileUsage: {
          initiator: 'Merchant',
          sequence: 'Subsequent',
        },
      });
    }
  },
);

test(
  'attempt-payment: a wallet pays with the card in it, without authentication',
  { tags: ['spec:2.2/wallet-attempt'] },
  async () => {
    const { shop } = await paymentServer();
    const pay = async (walletDetails: object) => shop.attempt(await shop.session(), { walletDetails });
    const googlePay = await pay({ type: 'GooglePay', googlePayToken: '{"signature":"x"}' });
    for (const cut of [
      { type: 'ApplePay', applePayToken: 'eyJ2ZXJzaW9uIjoiRUNfdjEiLCJkYXRhIjoiN21Fay......' },
      {
        type: 'GooglePay',
        googlePayToken: '{"signature":"MEYCIQ","intermediateSigningKey":{"signedKey":"{}"}',
      },
    ])
      expect((await pay(cut)).body).toMatchObject({ status: 'Captured' });
    const applePay = await pay({ type: 'ApplePay', applePayToken: 'eyJkYXRhIjoieCJ9' });
    expect(googlePay.body).toMatchObject({
      status: 'Captured',
      paymentMethod: { wallet: { type: 'GooglePay' } },
    });
    expect(applePay.body).toMatchObject({
      status: 'Captured',
      paymentMethod: { wallet: { type: 'ApplePay' } },
    });
  },
);

test('attempt-payment: a verification is approved without money, and may store the card', async () => {
  const { shop } = await paymentServer();
  const session = await shop.session({ amount: 0, verifyAccount: true });
  const asked = await shop.pay(session, CARDS.identify, STORE);
  expect(asked.status).toBe('PendingAction');
  const { body } = await shop.goOn(session, { fingerprint: encoded({}) });
  expect(body).toMatchObject({
    status: 'Approved',
    amount: 0,
    paymentMethod: { tokenizedDetails: { stored: true } },
  });
  expect((await shop.transactions(session)).map(({ type }) => type)).toEqual(['Authorization']);
});

test('attempt-payment: accepts both names of the e-mail address, and a shipping address', async () => {
  const { shop } = await paymentServer();
  const shippingDetails = { address: { country: 'FR', postalCode: '75001' } };
  const paid = await shop.pay(await shop.session(), undefined, { addressRequest: ADDRESS, shippingDetails });
  expect(paid).toMatchObject({ shippingDetails, paymentMethod: { billingAddress: ADDRESS } });
});

test(
  'attempt-payment: refuses sessions that cannot be paid and invalid payment methods',
  { tags: ['spec:2.2/email-required'] },
  async () => {
    const { shop, branch, api, services } = await paymentServer();
    const session = await shop.session();
    const attempt = (change: object) => shop.attempt(session, change);
    const withCard = (change: object) => attempt({ cardDetails: card(CARDS.plain, change) });
    const captured = await shop.captured({ customerEmail: 'kept@example.com' }, STORE);
    const kept = captured.paymentMethod.tokenizedDetails.id;
    const once = (await shop.captured()).paymentMethod.tokenizedDetails.id;
    const elsewhere = (await branch.captured()).paymentMethod.tokenizedDetails.id;
    const voided = await shop.approved();
    await shop.move(voided, 'voids');
    const paymentMethod = { id: kept };
    const wallet = (walletDetails: object) => attempt({ walletDetails });
    await expectRows([
      ['nothing', attempt({}), /^400 invalid_field send exactly one of/],
      [
        'two things',
        attempt({ cardDetails: card(), paymentMethod }),
        /^400 invalid_field send exactly one of/,
      ],
      [
        'blanks in the number',
        withCard({ number: '4242 4242 4242 4242' }),
        /^400 invalid_field cardDetails.number/,
      ],
      ['no such month', withCard({ expiryMonth: '13' }), /^400 invalid_field cardDetails.expiryMonth/],
      ['half a year', withCard({ expiryYear: '30' }), /^400 invalid_field cardDetails.expiryYear/],
      ['two digits of code', withCard({ cvc: '12' }), /^400 invalid_field cardDetails.cvc/],
      [
        'four digits for Visa',
        withCard({ cvc: '1234' }),
        /^400 invalid_field cardDetails.cvc must be 3 digits/,
      ],
      [
        'three digits for Amex',
        withCard({ number: '378282246310005' }),
        /^400 invalid_field cardDetails.cvc must be 4 digits/,
      ],
      ['an empty wallet', wallet({ type: 'GooglePay' }), /^400 invalid_field walletDetails.googlePayToken/],
      [
        'a wallet token that is cut off',
        wallet({ type: 'ApplePay', applePayToken: '{}' }),
        /^400 invalid_field walletDetails.applePayToken/,
      ],
      ['another wallet', wallet({ type: 'PayPal' }), /^400 invalid_field walletDetails.type must be one of/],
      ["another customer's card", attempt({ paymentMethod }), /^400 bad_request .*customer/],
      ['a card used once', attempt({ paymentMethod: { id: once } }), /^400 bad_request .*single use/],
      ["another account's card", attempt({ paymentMethod: { id: elsewhere } }), /^404 not_found/],
      ['no such card', attempt({ paymentMethod: { id: 'pmt_x' } }), /^404 not_found/],
      [
        'nobody',
        shop.attempt(await shop.session({ customerEmail: undefined })),
        /^400 bad_request customerEmail is required/,
      ],
      ['captured', shop.attempt(captured), /^400 bad_request .*can no longer be paid/],
      ['approved', shop.attempt(await shop.approved()), /^400 bad_request .*can no longer be paid/],
      ['voided', shop.attempt(voided), /^400 bad_request .*can no longer be paid/],
      [
        'no secret',
        api.post('/v1/payment-sessions/attempt-payment', { cardDetails: card() }),
        /^400 invalid_field clientSecret is required/,
      ],
      ['a wrong secret', shop.attempt({ clientSecret: `${session.clientSecret}x` }), /^404 not_found/],
      ['no secret at all', shop.attempt({ clientSecret: session.id }), /^404 not_found/],
    ]);
    await services.store.run(`UPDATE payment_sessions SET entry_mode = 'InPerson' WHERE id = ?`, session.id);
    await expectRows([
      ['at a terminal', attempt({ cardDetails: card() }), /^400 bad_request .*at its terminal/],
    ]);
  },
);

test(
  'GET /payment-sessions/{paymentSessionId}: a client secret opens the session to either key, not under another account',
  { tags: ['spec:4.1/GET/payment-sessions/{paymentSessionId}'] },
  async () => {
    const { api, shop, branchApi, branch, services } = await paymentServer();
    const front = api.withKey(services.settings.publicKey);
    const pay = (caller: typeof api, { clientSecret }: { clientSecret: string }) =>
      caller.post('/v1/payment-sessions/attempt-payment', { clientSecret, cardDetails: card() });
    const ofBranch = await branch.session();
    expect((await pay(branchApi, await shop.session())).status).toBe(404);
    expect((await pay(front, ofBranch)).body.status).toBe('Captured');
    expect((await pay(api, await branch.session())).body.status).toBe('Captured');
    const read = await front.get(`/v1/payment-sessions/${ofBranch.id}?clientSecret=${ofBranch.clientSecret}`);
    expect(read.body).toMatchObject({ id: ofBranch.id, status: 'Captured' });
  },
);

test(
  'attempt-payment, continue-payment: a browser of any origin may call them with the public key',
  { tags: ['spec:4.1/front-end-operations'] },
  async () => {
    const { api, services } = await paymentServer();
    for (const what of ['attempt-payment', 'continue-payment']) {
      const path = `/v1/payment-sessions/${what}`;
      const preflight = await api.raw('OPTIONS', path, undefined, {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type, account',
      });
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'authorization, content-type, account',
      });
      const refused = await api.withKey(services.settings.publicKey).post(path, {});
      expect(refused).toMatchObject({ status: 400, headers: { 'access-control-allow-origin': '*' } });
    }
  },
);
