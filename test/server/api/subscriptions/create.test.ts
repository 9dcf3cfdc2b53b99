import { expect, test } from 'vitest';
import { DAY, START, subscriptionServer } from './subscription-server.ts';

const FEBRUARY = Date.UTC(2026, 1, 28, 9, 30) / 1000;

test(
  'POST /subscriptions: with a stored card the first cycle is paid at once',
  { tags: ['spec:4.8/POST/subscriptions'] },
  async () => {
    const server = await subscriptionServer();
    const id = await server.card();
    const more = {
      paymentMethod: { id },
      description: 'Coffee every month',
      metadata: { plan: 'beans' },
      paymentSettings: { statementDescriptor: { descriptor: 'Beans Ltd', city: 'Leeds' } },
      shippingDetails: { address: { country: 'GB', postalCode: 'LS1 1AA' } },
    };
    const subscription = await server.subscribe(more);
    const session = { id: expect.stringMatching(/^ps_/), clientSecret: expect.stringContaining('_secret_') };
    expect(subscription).toEqual({
      id: expect.stringMatching(/^sub_/),
      status: 'Active',
      customer: { id: server.customerId },
      paymentSessions: { initial: session, latest: session },
      price: { amount: 900, currency: 'GBP', interval: { unit: 'Months', count: 1 } },
      balance: { amount: 0 },
      billingDetail: {
        totalCycles: 0,
        currentCycle: 1,
        currentCycleStartTimestamp: START,
        currentCycleEndTimestamp: FEBRUARY,
        billingCycleTimestamp: START,
        nextBillingTimestamp: FEBRUARY,
      },
      createdTimestamp: START,
      ...more,
    });
    expect(await server.look(subscription.id)).toEqual(subscription);
    expect(await server.events()).toEqual(['created']);
    expect(await server.sessions(subscription.id)).toMatchObject([
      {
        id: subscription.paymentSessions.initial.id,
        status: 'Captured',
        amount: 900,
        paymentType: 'Recurring',
        customerDetails: { id: server.customerId },
        metadata: { plan: 'beans' },
        statementDescriptor: { descriptor: 'Beans Ltd', city: 'Leeds' },
        paymentMethod: { tokenizedDetails: { id, stored: true } },
      },
    ]);
  },
);

test('POST /subscriptions: when the first charge is declined it is past due, with the reason', async () => {
  const server = await subscriptionServer();
  const id = await server.card({ expiryYear: '2024' });
  const subscription = await server.subscribe({ paymentMethod: { id } });
  expect(subscription).toMatchObject({
    status: 'PastDue',
    balance: { amount: 900 },
    billingDetail: {
      currentCycle: 1,
      nextBillingTimestamp: START + DAY,
      failureDetail: { paymentAttempts: 1, lastPaymentError: 'expired_card' },
    },
  });
  expect(await server.events()).toEqual(['created', 'past_due']);
});

test('POST /subscriptions: without a card the first cycle is paid at the front end, and its card is charged from then on', async () => {
  const server = await subscriptionServer();
  const pending = await server.subscribe();
  expect(pending).toMatchObject({
    status: 'Pending',
    balance: { amount: 0 },
    billingDetail: { currentCycle: 0, currentCycleStartTimestamp: START },
  });
  expect(pending.paymentMethod).toBeUndefined();
  expect(pending.billingDetail.nextBillingTimestamp).toBeUndefined();
  const { initial } = pending.paymentSessions;
  expect(await server.sessions(pending.id)).toMatchObject([
    { id: initial.id, status: 'PendingPayment', amount: 900, paymentType: 'Recurring' },
  ]);

  await server.clock.advance(2 * DAY * 1000);
  expect(await server.pay(initial.id, { expiryYear: '2024' })).toBe('PendingPayment');
  expect((await server.look(pending.id)).status).toBe('Pending');
  expect(await server.pay(initial.id)).toBe('Captured');
  const active = await server.look(pending.id);
  const paidAt = START + 2 * DAY;
  expect(active).toMatchObject({
    status: 'Active',
    paymentMethod: { id: expect.stringMatching(/^pmt_/) },
    paymentSessions: { initial: { id: initial.id }, latest: { id: initial.id } },
    billingDetail: {
      currentCycle: 1,
      currentCycleStartTimestamp: paidAt,
      billingCycleTimestamp: paidAt,
      nextBillingTimestamp: Date.UTC(2026, 2, 2, 9, 30) / 1000,
    },
  });
  const { body: kept } = await server.call(`GET /customers/${server.customerId}/payment-methods`);
  expect(kept.items).toMatchObject([{ id: active.paymentMethod.id }]);

  await server.until('2026-03-02T09:30');
  const [first, second] = await server.sessions(pending.id);
  expect(second).toMatchObject({
    status: 'Captured',
    previousPayment: { id: first.id },
    credentialOnFileUsage: { initiator: 'Merchant', sequence: 'Subsequent' },
  });
  expect(await server.events()).toEqual(['created', 'updated', 'updated']);
});

test('POST /subscriptions: with a later start it is charged then', async () => {
  const server = await subscriptionServer();
  const paymentMethod = { id: await server.card() };
  const startsAt = START + 10 * DAY;
  const pending = await server.subscribe({ paymentMethod, billingCycleTimestamp: startsAt });
  expect(pending).toMatchObject({
    status: 'Pending',
    billingDetail: { currentCycle: 0, billingCycleTimestamp: startsAt, nextBillingTimestamp: startsAt },
  });
  expect(await server.sessions(pending.id)).toMatchObject([
    { status: 'PendingPayment', amount: 0, verifyAccount: true, captureFlow: 'Manual' },
  ]);
  await server.clock.advance(10 * DAY * 1000 - 1000);
  expect((await server.look(pending.id)).status).toBe('Pending');
  await server.clock.advance(1000);
  expect(await server.look(pending.id)).toMatchObject({
    status: 'Active',
    billingDetail: { currentCycle: 1, currentCycleStartTimestamp: startsAt },
  });
  expect(await server.events()).toEqual(['created', 'updated']);
});

test('POST /subscriptions: with a later start and no card, a card is verified for nothing and charged at the start', async () => {
  const server = await subscriptionServer();
  const startsAt = START + 3 * DAY;
  const pending = await server.subscribe({ billingCycleTimestamp: startsAt });
  expect(await server.pay(pending.paymentSessions.initial.id)).toBe('Approved');
  expect(await server.look(pending.id)).toMatchObject({
    status: 'Active',
    paymentMethod: { id: expect.stringMatching(/^pmt_/) },
    billingDetail: { currentCycle: 0, nextBillingTimestamp: startsAt },
  });
  await server.clock.advance(3 * DAY * 1000);
  expect(await server.look(pending.id)).toMatchObject({
    status: 'Active',
    billingDetail: { currentCycle: 1, currentCycleStartTimestamp: startsAt },
  });
  const [check, first] = await server.sessions(pending.id);
  expect(first).toMatchObject({ amount: 900, status: 'Captured', previousPayment: { id: check.id } });
});

test('POST /subscriptions: when it starts before a card is known, the first payment is asked for and still accepted', async () => {
  const server = await subscriptionServer();
  const pending = await server.subscribe({ billingCycleTimestamp: START + DAY });
  await server.clock.advance(DAY * 1000);
  const asked = await server.look(pending.id);
  expect(asked.status).toBe('Pending');
  expect(asked.paymentSessions.latest.id).not.toBe(pending.paymentSessions.initial.id);
  expect(await server.sessions(pending.id)).toMatchObject([{ amount: 0 }, { amount: 900 }]);

  const looked = await server.pay(pending.paymentSessions.initial.id);
  expect(looked).toBe('Approved');
  expect(await server.look(pending.id)).toMatchObject({
    status: 'Active',
    billingDetail: { currentCycle: 1 },
  });
  // The session that was open for the first payment took it, so nobody can pay it again.
  expect(await server.sessions(pending.id)).toMatchObject([{ status: 'Approved' }, { status: 'Captured' }]);
  expect(await server.events()).toEqual(['created', 'updated', 'updated']);
});

test('POST /subscriptions: with a single cycle it ends as it starts', async () => {
  const server = await subscriptionServer();
  const price = { amount: 900, currency: 'GBP', interval: { unit: 'Days', count: 7, times: 1 } };
  const subscription = await server.subscribe({ paymentMethod: { id: await server.card() }, price });
  expect(subscription).toMatchObject({ status: 'Ended', billingDetail: { totalCycles: 1, currentCycle: 1 } });
  expect(subscription.billingDetail.nextBillingTimestamp).toBeUndefined();
  expect(await server.events()).toEqual(['created', 'ended']);
});

const PRICE = { amount: 900, currency: 'GBP', interval: { unit: 'Months', count: 1 } };

test.each([
  ['no customer', { price: PRICE, customer: undefined }, /^customer is required/],
  ['no price', { price: undefined }, /^price is required/],
  ['a price of nothing', { price: { ...PRICE, amount: 0 } }, /^price\.amount /],
  [
    'a price below what the currency allows',
    { price: { ...PRICE, amount: 29 } },
    /^price\.amount must be 30 /,
  ],
  ['an unknown currency', { price: { ...PRICE, currency: 'XXX' } }, /^price\.currency must be one of/],
  ['weeks', { price: { ...PRICE, interval: { unit: 'Weeks', count: 1 } } }, /^price\.interval\.unit /],
  [
    'cycles of length zero',
    { price: { ...PRICE, interval: { unit: 'Days', count: 0 } } },
    /^price\.interval\.count /,
  ],
  [
    'no cycles',
    { price: { ...PRICE, interval: { unit: 'Days', count: 1, times: 0 } } },
    /^price\.interval\.times /,
  ],
  [
    'a start in the past',
    { billingCycleTimestamp: START - 1 },
    /^billingCycleTimestamp must not be in the past/,
  ],
  ['a start after the year 9999', { billingCycleTimestamp: 2 ** 52 }, /^billingCycleTimestamp /],
  ['too much metadata', { metadata: { a: 'x'.repeat(251) } }, /^metadata\.a /],
])('POST /subscriptions: refuses %s', async (_what, change, message) => {
  const server = await subscriptionServer();
  const answer = await server.call('POST /subscriptions', {
    customer: { id: server.customerId },
    price: PRICE,
    ...change,
  });
  expect([answer.status, answer.body.errors[0].code]).toEqual([400, 'invalid_field']);
  expect(answer.body.errors[0].message).toMatch(message);
  expect(await server.events()).toEqual([]);
});

test('POST /subscriptions: an unknown customer or card is 404', async () => {
  const server = await subscriptionServer();
  const other = (await server.call('POST /customers', { email: 'kim@example.com' })).body.id;
  const theirs = await server.card({ customerId: other });
  const ask = async (more: object, account?: string) =>
    (
      await server.call(
        'POST /subscriptions',
        { customer: { id: server.customerId }, price: PRICE, ...more },
        account,
      )
    ).status;
  expect(await ask({ customer: { id: 'cus_01J9Z5WAF2V3W4X5Y6Z7A8B9C0' } })).toBe(404);
  expect(await ask({ customer: { id: 'nobody' } })).toBe(404);
  expect(await ask({ paymentMethod: { id: theirs } })).toBe(404);
  expect(await ask({ paymentMethod: { id: 'pmt_01J9Z5WAF2V3W4X5Y6Z7A8B9C0' } })).toBe(404);
  expect(await ask({}, server.subAccountId)).toBe(404);
});

test('POST /subscriptions: no event carries a client secret', async () => {
  const server = await subscriptionServer();
  await server.subscribe();
  await server.subscribe({ paymentMethod: { id: await server.card() } });
  const rows = await server.services.store.all<{ body: string }>('SELECT body FROM events');
  expect(rows.length).toBeGreaterThan(2);
  expect(rows.map(({ body }) => body).join()).not.toContain('_secret_');
});

test('POST /subscriptions: paymentSettings has the statement descriptor that applies', async () => {
  const server = await subscriptionServer();
  const { paymentSettings, id } = await server.subscribe({ paymentMethod: { id: await server.card() } });
  const { statementDescriptor } = paymentSettings;
  expect(Object.keys(statementDescriptor)).toEqual(['descriptor', 'city']);
  expect(await server.sessions(id)).toMatchObject([{ statementDescriptor }]);
  const { body } = await server.call(`PATCH /subscriptions/${id}`, { paymentSettings: {} });
  expect(body.paymentSettings).toEqual({ statementDescriptor });
});

test('Subscription.created: has the amount and the currency of the price at its top level', async () => {
  const server = await subscriptionServer();
  const { id } = await server.subscribe({ paymentMethod: { id: await server.card() } });
  await server.call(`DELETE /subscriptions/${id}/cancel`);
  const rows = await server.services.store.all<{ body: string }>('SELECT body FROM events ORDER BY seq');
  const bodies = rows.map(({ body }) => JSON.parse(body));
  const [created, cancelled] = bodies.filter(({ eventType }) => eventType.startsWith('Subscription.'));
  expect(created.data).toMatchObject({ id, amount: 900, currency: 'GBP', price: { amount: 900 } });
  expect(cancelled).toMatchObject({ eventType: 'Subscription.cancelled', data: { id } });
  expect(cancelled.data).not.toHaveProperty('amount');
});
