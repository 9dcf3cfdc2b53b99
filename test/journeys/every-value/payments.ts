import { BANK_ACCOUNT } from '../../../cli/trigger/account-paths.ts';
import type { Api } from '../../../testing/world/api.ts';
import { card, CARDS, openCheckout } from '../../kit/checkout.ts';
import { upload } from '../../kit/form.ts';
import type { World } from '../../../testing/world/world.ts';
import { individual } from '../../server/api/accounts/account-bodies.ts';
import { good } from '../one-of-each.ts';

const address = {
  firstName: 'Sam',
  lastName: 'Reid',
  lineOne: '1 High St',
  lineTwo: 'Flat 2',
  city: 'Leeds',
  region: 'West Yorkshire',
  country: 'GB',
  postalCode: 'LS1 1AA',
};
const phones = { homePhoneNumber: '+441132000000', mobilePhoneNumber: '+447700900123' };
const line = {
  reference: 'r1',
  name: 'Tea',
  quantity: 2,
  unitPrice: 500,
  taxAmount: 200,
  totalAmount: 1_000,
  discountAmount: 0,
  productUrl: 'https://shop.example/tea',
  imageUrl: 'https://shop.example/tea.png',
};

/** Sessions that say all that can be said of one, in every way that they can be paid. */
export async function everySession(world: World, api: Api): Promise<void> {
  const { platformId, subAccountId } = world;
  const shop = openCheckout(api);
  const bookTo = { bookTo: platformId };
  const splits = {
    items: [
      { accountId: subAccountId, amount: 500, description: 'Tea', fee: { amount: 20 }, metadata: { a: 'b' } },
    ],
  };
  const rebillingDetail = {
    amountVariance: 'Fixed',
    numberOfDaysBetweenPayments: 30,
    totalNumberOfPayments: 12,
    currentPaymentNumber: 1,
    expiry: 1_900_000_000,
  };
  const whole = await shop.session({
    paymentType: 'Unscheduled',
    captureFlow: 'Manual',
    authorizationType: 'PreAuth',
    customerDetails: { firstName: 'Sam', lastName: 'Reid', ...phones, metadata: { loyal: 'yes' } },
    rebillingDetail,
    shippingDetails: { address, phoneNumber: phones.homePhoneNumber },
    orderDetails: { items: [line] },
    paymentSettings: {
      paymentMethodOptions: { disabled: ['Amex'] },
      threeDs: { challengeIndicator: 'NoPreference', policy: 'Default' },
      platform: {
        paymentFees: {
          interchange: bookTo,
          network: bookTo,
          processor: bookTo,
          gateway: bookTo,
          miscPassThrough: bookTo,
          combined: bookTo,
        },
      },
    },
    splits,
  });
  for (const challengeIndicator of [
    'NoChallengeRequested',
    'ChallengeRequested',
    'TransactionRiskAnalysisAlreadyPerformed',
  ])
    await shop.session({ paymentSettings: { threeDs: { challengeIndicator } } });
  const cardDetails = card('5555555555554444');
  good(
    await shop.attempt(whole, {
      cardDetails,
      billingAddress: address,
      paymentMethodOptions: { store: true },
    }),
  );
  good(await shop.move(whole, 'captures', { amount: 700, captureType: 'NotFinal' }));
  good(await shop.move(whole, 'captures'));
  const [, capture] = await shop.transactions(whole);
  const back = { captureTransaction: { id: capture.id }, reason: 'returned' };
  const parts = { items: [{ id: capture.splitPaymentDetail.items[0].id, amount: 100 }] };
  good(await shop.move(whole, 'refunds', { ...back, splits: parts }));

  await shop.session({ rebillingDetail: { ...rebillingDetail, amountVariance: 'Variable' } });
  await shop.pay(await shop.session({ entryMode: 'MOTO' }), '378282246310005');
  await shop.captured({ verifyAccount: true, amount: 0 });
  for (const walletDetails of [
    { type: 'GooglePay', googlePayToken: '{}' },
    { type: 'ApplePay', applePayToken: 'YQ==' },
  ])
    good(await shop.attempt(await shop.session(), { walletDetails }));
  const app = { threeDsRequestDetails: { deviceChannel: 'Application' } };
  await shop.pay(await shop.session(), CARDS.challenge, app);
  const path = `/sandbox/accounts/${platformId}/settings`;
  good(await api.patch(path, { threeDsRedirect: true }));
  await shop.pay(await shop.session(), CARDS.challenge);
  good(await api.patch(path, { threeDsRedirect: false }));

  const branch = openCheckout(api.as(subAccountId));
  const sold = await branch.captured({ platformFee: 100 });
  for (const amount of [100, 200])
    good(await branch.move(sold, 'refunds', { amount, refundPlatformFee: true, reason: 'returned' }));
  const { items } = good(await api.get('/v1/platform-fees?limit=1'));
  good(await api.get(`/v1/platform-fees/${items[0].id}/refunds?limit=1`));
  await branch.transactions(sold);
}

/** Customers of whom all is known, with two cards of other schemes. */
export async function everyCustomer(world: World, api: Api): Promise<void> {
  const shop = openCheckout(api);
  const { id } = good(
    await api.post('/v1/customers', {
      email: 'mo@example.com',
      firstName: 'Mo',
      lastName: 'Reid',
      ...phones,
    }),
  );
  const methods: string[] = [];
  for (const number of ['5555555555554444', '378282246310005']) {
    const session = await shop.session({ customerDetails: { id } });
    const stored = { cardDetails: card(number), paymentMethodOptions: { store: true } };
    methods.push(good(await shop.attempt(session, stored)).paymentMethod.tokenizedDetails.id);
  }
  good(await api.patch(`/v1/customers/${id}`, { defaultPaymentMethod: methods[0] }));
  good(await api.get(`/v1/customers/${id}/payment-methods?limit=1`));
  good(await api.get(`/v1/customers/${id}/payment-methods`));
  const price = { amount: 900, currency: 'GBP', interval: { unit: 'Months', count: 1 } };
  const customer = { id };
  const descriptor = { statementDescriptor: { descriptor: 'Tea', city: 'York' } };
  const more = { shippingDetails: { address, phoneNumber: '+441132000000' }, paymentSettings: descriptor };
  const pending = good(await api.post('/v1/subscriptions', { customer, price, ...more }));
  await shop.attempt(pending.paymentSessions.initial, { cardDetails: card(CARDS.challenge) });
  good(await api.get(`/v1/subscriptions/${pending.id}`));

  const late = { expiryMonth: String(new Date(world.clock.nowMs()).getUTCMonth() + 1).padStart(2, '0') };
  const expiring = card(CARDS.plain, { ...late, expiryYear: '2026' });
  const session = await shop.session({ customerDetails: { id } });
  const stored = { cardDetails: expiring, paymentMethodOptions: { store: true } };
  const method = good(await shop.attempt(session, stored)).paymentMethod.tokenizedDetails.id;
  const daily = { ...price, interval: { unit: 'Days', count: 1 } };
  const made = good(
    await api.post('/v1/subscriptions', { customer, price: daily, paymentMethod: { id: method } }),
  );
  const path = `/v1/subscriptions/${made.id}`;
  const resumeAtTimestamp = Math.floor(world.clock.nowMs() / 1000) + 3 * 86_400;
  good(await api.patch(`${path}/pause`, { reason: 'away', resumeAtTimestamp }));
  good(await api.patch(`${path}/pause`, { unschedule: true }));
  await world.advance({ minutes: 31 * 24 * 60 });
  good(await api.get(path));
  good(await api.get(`${path}/payment-sessions?limit=1`));
}

/** Disputes of every category, to each of their ends. */
export async function everyDispute(world: World, api: Api): Promise<void> {
  const shop = openCheckout(api);
  const open = async (category: string) => {
    const session = await shop.captured();
    const disputes = `/sandbox/payment-sessions/${session.id}/disputes`;
    return { path: `/v1/disputes/${good(await api.post(disputes, { category })).id}`, session };
  };
  const { id } = good(await upload(api, 'Evidence'));
  const texts = ['billingAddress', 'shippingAddress', 'duplicateTransaction', 'uncategorised'];
  const files = [
    'proofOfDelivery',
    'customerSignature',
    'receipt',
    'shippingConfirmation',
    'customerCommunication',
    'refundPolicy',
    'recurringPaymentAgreement',
    'uncategorised',
  ];
  const evidence = {
    text: Object.fromEntries(texts.map((name) => [name, 'so it was'])),
    files: Object.fromEntries(files.map((name) => [name, { id }])),
  };
  for (const [category, status] of [
    ['Authorization', 'Won'],
    ['ProcessingError', 'Lost'],
    ['CardholderDispute', 'Cancelled'],
  ] as const) {
    const { path, session } = await open(category);
    good(await api.patch(`${path}/evidence`, evidence));
    good(await api.post(`${path}/challenge`));
    good(await api.post(`/sandbox${path.slice(3)}/outcome`, { status }));
    good(await api.get(path));
    await shop.transactions(session);
  }
  const { path } = await open('General');
  // Of a sub account that was paid out all: its platform bears it, and is given it back.
  const poor = good(
    await api.post('/v1/accounts', { onboardingFlow: 'NonHosted', entityType: 'Individual', individual }),
  ).id;
  good(await api.post(`/v1/accounts/${poor}/payout-methods`, BANK_ACCOUNT));
  const sold = await openCheckout(api.as(poor)).captured();
  await world.advance({ minutes: 6 * 24 * 60 });
  const borne = good(await api.post(`/sandbox/payment-sessions/${sold.id}/disputes`, {}));
  good(await api.post(`/sandbox/disputes/${borne.id}/outcome`, { status: 'Cancelled' }));
  await world.advance({ minutes: 15 * 24 * 60 });
  good(await api.get(path));
}
