import { expect, test } from 'vitest';
import { CURRENCIES, CURRENCY_CODES } from '../../../../protocol/money.ts';
import { paymentServer, type PaymentServer } from './payment-server.ts';
import { expectRows } from './expect-refusals.ts';

const NOBODY = 'cus_01J9Z5W8A0B1C2D3E4F5G6H7J8';
const NOTHING = 'ps_01J9Z5W8A0B1C2D3E4F5G6H7J8';
const STRANGER = 'ac_00000000-0000-4000-8000-000000000000';

const lines = (count: number, value = 'v') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, value]));

test(
  'POST /payment-sessions: refuses fields of the wrong shape by their name',
  { tags: ['spec:2.1/metadata-of-payment-sessions', 'spec:2.1/amounts', 'spec:2.1/currencies'] },
  async () => {
    const { api, shop } = await paymentServer();
    const bare = (body: object) => api.post('/v1/payment-sessions', body);
    await expectRows([
      ['no amount', bare({ currency: 'GBP' }), /^400 invalid_field amount is required/],
      ['no currency', bare({ amount: 100 }), /^400 invalid_field currency is required/],
      ['an amount of text', shop.create({ amount: '100' }), /^400 invalid_field amount /],
      ['half a penny', shop.create({ amount: 100.5 }), /^400 invalid_field amount /],
      ['a negative amount', shop.create({ amount: -1 }), /^400 invalid_field amount /],
      [
        'no such currency',
        shop.create({ currency: 'XXX' }),
        /^400 invalid_field currency must be one of: \[GBP/,
      ],
      ['no address', shop.create({ customerEmail: 'sam' }), /^400 invalid_field customerEmail /],
      [
        'another flow',
        shop.create({ captureFlow: 'Later' }),
        /^400 invalid_field captureFlow must be one of/,
      ],
      ['another type', shop.create({ paymentType: 'Gift' }), /^400 invalid_field paymentType must be one of/],
      ['in person', shop.create({ entryMode: 'InPerson' }), /^400 invalid_field entryMode must be one of/],
      [
        'another authorisation',
        shop.create({ authorizationType: 'X' }),
        /^400 invalid_field authorizationType /,
      ],
      [
        'eleven entries',
        shop.create({ metadata: lines(11) }),
        /^400 invalid_field metadata must have at most 10/,
      ],
      ['an empty value', shop.create({ metadata: { a: '' } }), /^400 invalid_field metadata/],
      ['a long value', shop.create({ metadata: { a: 'v'.repeat(251) } }), /^400 invalid_field metadata/],
      ['a long key', shop.create({ metadata: { ['k'.repeat(31)]: 'v' } }), /^400 invalid_field metadata/],
      [
        'half a descriptor',
        shop.create({ statementDescriptor: { city: 'Leeds' } }),
        /^400 invalid_field statementDescriptor/,
      ],
      [
        'a long descriptor',
        shop.create({ statementDescriptor: { descriptor: 'd'.repeat(23), city: 'Leeds' } }),
        /^400 invalid_field/,
      ],
      [
        'a long city',
        shop.create({ statementDescriptor: { descriptor: 'Shop', city: 'c'.repeat(14) } }),
        /^400 invalid_field/,
      ],
      [
        'shipping nowhere',
        shop.create({ shippingDetails: { address: { country: 'GB' } } }),
        /^400 invalid_field shippingDetails.address.postalCode is required/,
      ],
      [
        'half an order',
        shop.create({ orderDetails: { items: [{ reference: 'r' }] } }),
        /^400 invalid_field orderDetails.items.0/,
      ],
      [
        'a series without its variance',
        shop.create({ paymentType: 'Recurring', rebillingDetail: { numberOfDaysBetweenPayments: 30 } }),
        /^400 invalid_field rebillingDetail.amountVariance is required/,
      ],
      [
        'a series without its pace',
        shop.create({ paymentType: 'Recurring', rebillingDetail: { amountVariance: 'Fixed' } }),
        /^400 invalid_field rebillingDetail.numberOfDays/,
      ],
      [
        'a split of nothing',
        shop.create({ splits: { items: [{ accountId: STRANGER, amount: 0 }] } }),
        /^400 invalid_field splits.items.0.amount/,
      ],
      [
        'a split to nobody',
        shop.create({ splits: { items: [{ accountId: 'me', amount: 1 }] } }),
        /^400 invalid_field splits.items.0.accountId/,
      ],
      [
        'a fee to nobody',
        shop.create({ platformSettings: { paymentFees: { network: { bookTo: 'me' } } } }),
        /^400 invalid_field platformSettings/,
      ],
      ['no body', api.post('/v1/payment-sessions'), /^400 invalid_field/],
    ]);
  },
);

test(
  'POST /payment-sessions: each currency has a least and a most amount, both accepted',
  { tags: ['spec:8/payment-amounts'] },
  async () => {
    const { shop } = await paymentServer();
    for (const currency of CURRENCY_CODES) {
      const { minMinor, maxMinor } = CURRENCIES[currency];
      const outside = `400 invalid_field amount must be ${minMinor} to ${maxMinor} in ${currency}`;
      await expectRows([
        [`${currency} too little`, shop.create({ currency, amount: minMinor - 1 }), outside],
        [`${currency} least`, shop.create({ currency, amount: minMinor }), 'accepted'],
        [`${currency} most`, shop.create({ currency, amount: maxMinor }), 'accepted'],
        [`${currency} too much`, shop.create({ currency, amount: maxMinor + 1 }), outside],
      ]);
    }
  },
);

async function setUp({ api, platformId }: PaymentServer, settings: object, account = platformId) {
  const { status } = await api.patch(`/sandbox/accounts/${account}/settings`, settings);
  expect(status).toBe(200);
}

test(
  'POST /payment-sessions: refuses what the account is not set up for',
  { tags: ['spec:2.2/moto', 'spec:2.2/pre-auth'] },
  async () => {
    const server = await paymentServer();
    const { shop } = server;
    await setUp(server, { currencies: ['GBP', 'EUR'], motoAllowed: false, preAuthAllowed: false });
    await expectRows([
      [
        'dollars',
        shop.create({ currency: 'USD' }),
        /^400 invalid_field currency must be one of: \[GBP, EUR\]$/,
      ],
      ['euros', shop.create({ currency: 'EUR' }), 'accepted'],
      [
        'MOTO',
        shop.create({ entryMode: 'MOTO' }),
        /^400 bad_request the account is not allowed to take MOTO/,
      ],
      [
        'MOTO as it was said before',
        shop.create({ paymentType: 'MOTO' }),
        /^400 bad_request the account is not allowed to take MOTO/,
      ],
      ['PreAuth', shop.create({ authorizationType: 'PreAuth' }), /^400 bad_request .*PreAuth/],
    ]);
  },
);

test(
  "POST /payment-sessions: a platform fee is part of a sub account's payment",
  { tags: ['spec:1/platform-fees', 'spec:2.2/platform-fee-limits'] },
  async () => {
    const { shop, branch } = await paymentServer();
    await expectRows([
      [
        'of the platform itself',
        shop.create({ platformFee: 10 }),
        /^400 invalid_field platformFee requires the Account header/,
      ],
      [
        'more than the amount',
        branch.create({ platformFee: 1251 }),
        /^400 invalid_field platformFee must be at most the amount/,
      ],
      ['a negative amount', branch.create({ platformFee: -1 }), /^400 invalid_field platformFee/],
      ['all of it', branch.create({ platformFee: 1250 }), 'accepted'],
      ['none of it', branch.create({ platformFee: 0 }), 'accepted'],
    ]);
  },
);

test(
  'POST /payment-sessions: a platform splits its own payment between its sub accounts',
  { tags: ['spec:2.2/splits-sum', 'spec:2.2/splits-exclusions'] },
  async () => {
    const { shop, branch, platformId, subAccountId } = await paymentServer();
    const split = (amount: number, more: object = {}) => ({
      splits: { items: [{ accountId: subAccountId, amount, ...more }] },
    });
    await expectRows([
      ['all of it', shop.create(split(1250)), 'accepted'],
      ['more than it', shop.create(split(1251)), /^400 bad_request splits must add up to at most 1250/],
      ['with a fee on it', shop.create(split(600, { fee: { amount: 600 } })), 'accepted'],
      [
        'with more fee than it',
        shop.create(split(600, { fee: { amount: 601 } })),
        /^400 bad_request splits.items.0.fee.amount/,
      ],
      [
        'and a processing fee',
        shop.create({ ...split(600), passThroughProcessingFee: true }),
        /^400 bad_request splits cannot be combined with passThroughProcessingFee/,
      ],
      [
        'by a sub account',
        branch.create(split(600)),
        /^400 bad_request splits cannot be combined with the Account header/,
      ],
      [
        'and a platform fee',
        branch.create({ ...split(600), platformFee: 1 }),
        /^400 bad_request splits cannot be combined with platformFee/,
      ],
      [
        'to itself',
        shop.create({ splits: { items: [{ accountId: platformId, amount: 1 }] } }),
        /^400 bad_request splits.items.0.accountId/,
      ],
      [
        'to a stranger',
        shop.create({ splits: { items: [{ accountId: STRANGER, amount: 1 }] } }),
        /^400 bad_request splits.items.0.accountId/,
      ],
      ['no parts', shop.create({ splits: { items: [] } }), 'accepted'],
      [
        'a fee to a stranger',
        shop.create({ platformSettings: { paymentFees: { combined: { bookTo: STRANGER } } } }),
        /^400 bad_request bookTo/,
      ],
    ]);
  },
);

test(
  'POST /payment-sessions: a verification checks a card and moves no money',
  {
    tags: [
      'spec:2.2/verification-amount',
      'spec:2.2/verification-capture-flow',
      'spec:2.2/verification-without-fee',
    ],
  },
  async () => {
    const { shop, branch, subAccountId } = await paymentServer();
    const verify = (change: object = {}) => ({ amount: 0, verifyAccount: true, ...change });
    const parts = { items: [{ accountId: subAccountId, amount: 1 }] };
    await expectRows([
      ['of an amount', shop.create(verify({ amount: 100 })), /^400 bad_request .*amount 0/],
      [
        'captured by itself',
        shop.create(verify({ captureFlow: 'Automatic' })),
        /^400 bad_request .*automatically/,
      ],
      ['with a fee', branch.create(verify({ platformFee: 0 })), /^400 bad_request .*platformFee/],
      ['with parts', shop.create(verify({ splits: parts })), /^400 bad_request .*splits/],
      ['nothing to pay otherwise', shop.create({ amount: 0 }), /^400 invalid_field amount must be 30 to/],
      ['as it should be', shop.create(verify()), 'accepted'],
    ]);
    const session = await shop.session(verify());
    expect(session).toMatchObject({ amount: 0, captureFlow: 'Manual', verifyAccount: true });
  },
);

test(
  'POST /payment-sessions: returnUrl is https, or has the scheme of an app',
  { tags: ['spec:2.2/return-url'] },
  async () => {
    const { shop } = await paymentServer();
    await expectRows([
      [
        'http',
        shop.create({ returnUrl: 'http://shop.example/back' }),
        /^400 invalid_field returnUrl must begin with https/,
      ],
      ['a script', shop.create({ returnUrl: 'javascript:alert(1)' }), /^400 invalid_field returnUrl/],
      ['data', shop.create({ returnUrl: 'data:text/html,x' }), /^400 invalid_field returnUrl/],
      ['no URL', shop.create({ returnUrl: '/back' }), /^400 invalid_field returnUrl must be an absolute URL/],
      ['https', shop.create({ returnUrl: 'https://shop.example/back?a=b' }), 'accepted'],
      ['an app', shop.create({ returnUrl: 'shop-app://back' }), 'accepted'],
    ]);
  },
);

test('POST /payment-sessions: refuses unknown customers, accounts and payment methods', async () => {
  const { api, branchApi, shop, branch } = await paymentServer();
  const other = (await branchApi.post('/v1/customers', { email: 'kim@example.com' })).body;
  const customer = (await api.post('/v1/customers', { email: 'sam@example.com' })).body;
  const series = { paymentType: 'Recurring' };
  const first = await shop.session({ ...series, customerDetails: { id: customer.id } });
  const single = await shop.session({ customerDetails: { id: customer.id } });
  const later = (change: object) => ({ ...series, previousPayment: { id: first.id }, ...change });
  const second = (await api.post('/v1/customers', { email: 'lou@example.com' })).body;
  await expectRows([
    ['no such customer', shop.create({ customerDetails: { id: NOBODY } }), /^404 not_found no such customer/],
    [
      'no such customer, spelled otherwise',
      shop.create({ customerId: NOBODY }),
      /^404 not_found no such customer/,
    ],
    ['no id at all', shop.create({ customerId: 'sam' }), /^404 not_found no such customer/],
    ["another account's customer", shop.create({ customerId: other.id }), /^404 not_found no such customer/],
    [
      'no such payment',
      shop.create({ ...series, previousPayment: { id: NOTHING } }),
      /^404 not_found no such previous payment/,
    ],
    ["another account's payment", branch.create(later({})), /^404 not_found no such previous payment/],
    [
      'in another currency',
      shop.create(later({ currency: 'EUR' })),
      /^400 bad_request previousPayment must have the same currency/,
    ],
    [
      'of another customer',
      shop.create(later({ customerId: second.id })),
      /^400 bad_request previousPayment must have the same customer/,
    ],
    [
      'of another kind',
      shop.create(later({ paymentType: 'Standard' })),
      /^400 bad_request previousPayment must have the same paymentType/,
    ],
    [
      'after a Standard payment',
      shop.create(later({ previousPayment: { id: single.id } })),
      /^400 bad_request previousPayment must have the same paymentType/,
    ],
    ['as it should be', shop.create(later({ customerId: customer.id })), 'accepted'],
    ['after one of the other series', shop.create(later({ paymentType: 'Unscheduled' })), 'accepted'],
    [
      'paid with nobody named',
      shop.create({ attemptPayment: { paymentMethod: { id: 'pmt_x' } } }),
      /^400 bad_request customerDetails.id is required/,
    ],
    [
      'paid with nothing',
      shop.create({ customerId: customer.id, attemptPayment: { paymentMethod: { id: 'pmt_x' } } }),
      /^404 not_found no such payment method/,
    ],
  ]);
});

test(
  "POST /payment-sessions: returns what was sent, with the account's defaults",
  {
    tags: [
      'spec:4.1/POST/payment-sessions',
      'spec:2.2/enabled-payment-methods',
      'spec:2.2/statement-descriptor',
      'spec:2.2/capture-flow-default',
    ],
  },
  async () => {
    const server = await paymentServer();
    const { shop, branch, subAccountId } = server;
    const descriptor = { descriptor: 'Corner Shop', city: 'Leeds' };
    await setUp(server, { returnUrl: 'https://corner.example/back', statementDescriptor: descriptor });
    const plain = (await shop.create({ customerEmail: undefined })).body;
    expect(plain).toMatchObject({
      id: expect.stringMatching(/^ps_/),
      clientSecret: expect.stringMatching(new RegExp(`^${plain.id}_secret_[0-9a-f-]{36}$`)),
      amount: 1250,
      currency: 'GBP',
      status: 'PendingPayment',
      refundedAmount: 0,
      metadata: {},
      paymentType: 'Standard',
      entryMode: 'Online',
      captureFlow: 'Automatic',
      authorizationType: 'FinalAuth',
      returnUrl: 'https://corner.example/back',
      statementDescriptor: descriptor,
      enabledPaymentMethods: ['Card'],
    });
    for (const name of ['customerEmail', 'requiredAction', 'lastError', 'paymentMethod', 'platformFee'])
      expect(plain).not.toHaveProperty(name);

    const address = { firstName: 'Sam', lineOne: '1 High St', country: 'GB', postalCode: 'LS1 1AA' };
    const line = { reference: 'r', name: 'Tea', quantity: 1, unitPrice: 5, taxAmount: 1, totalAmount: 6 };
    const asked = {
      paymentType: 'Unscheduled',
      captureFlow: 'Manual',
      returnUrl: 'shop-app://back',
      statementDescriptor: {
        descriptor: 'Tea',
        city: 'York',
      },
      customerDetails: {
        firstName: 'Sam',
        metadata: { loyal: 'yes' },
      },
      shippingDetails: {
        address,
        phoneNumber: '+441132000000',
      },
      orderDetails: { items: [line] },
      metadata: lines(10, 'v'.repeat(250)),
      splits: {
        items: [
          {
            accountId: subAccountId,
            amount: 500,
            description: 'Tea',
            fee: { amount: 20 },
          },
        ],
      },
    };
    const { splits, ...shown } = asked;
    const whole = await shop.session({
      ...asked,
      rebillingDetail: { amountVeriance: 'Fixed', numberOfDaysBetweenPayments: 30, expiry: 1_900_000_000 },
      passThroughProcessingFee: false,
    });
    expect(whole).toMatchObject({
      ...shown,
      rebillingDetail: { amountVariance: 'Fixed', numberOfDaysBetweenPayments: 30, expiry: 1_900_000_000 },
      splitPaymentDetail: { items: [{ id: expect.stringMatching(/^sp_/), ...splits.items[0] }] },
    });
    expect(await shop.read(whole)).toEqual(whole);
    expect(await branch.session({ platformFee: 100 })).toMatchObject({ platformFee: 100 });
    const moto = await shop.session({ paymentType: 'MOTO' });
    expect(moto).toMatchObject({ paymentType: 'Standard', entryMode: 'MOTO' });
  },
);

test(
  'POST /payment-sessions: paymentFees is accepted in three places and returned in one',
  { tags: ['spec:9/payment-fees'] },
  async () => {
    const { shop, platformId, subAccountId } = await paymentServer();
    const fees = (accountId: string) => ({ paymentFees: { combined: { bookTo: accountId } } });
    const rest = {
      paymentMethodOptions: { disabled: ['Amex'] },
      threeDs: { challengeIndicator: 'NoPreference' },
    };
    const shown = { paymentSettings: { platform: fees(subAccountId) } };
    for (const said of [
      { platformSettings: fees(subAccountId) },
      { settings: { platform: fees(subAccountId) } },
      { paymentSettings: { platform: fees(subAccountId) }, platformSettings: fees(platformId) },
    ]) {
      expect(await shop.session(said)).toMatchObject(shown);
    }
    const session = await shop.session({ paymentSettings: rest });
    expect(session.paymentSettings).toEqual(rest);
    const { body } = await shop.update(session, { platformSettings: fees(subAccountId) });
    expect(body.paymentSettings).toEqual({ ...rest, platform: fees(subAccountId) });
  },
);

test('payment session: threeDs.policy of the payment settings is stored and returned, on creation and update', async () => {
  const { shop } = await paymentServer();
  const threeDs = { challengeIndicator: 'NoPreference', policy: 'Default' };
  const session = await shop.session({ paymentSettings: { threeDs } });
  expect(session.paymentSettings).toEqual({ threeDs });
  expect(await shop.read(session)).toEqual(session);
  const change = { paymentSettings: { threeDs: { policy: 'Required' } } };
  expect((await shop.update(session, change)).body.paymentSettings).toEqual(change.paymentSettings);
});
