import { afterEach, beforeEach, expect, test } from 'vitest';
import { startWorld, type World } from '../../testing/world/world.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

const DAY_MINUTES = 24 * 60;
const HEARD = [
  'Subscription.created',
  'Subscription.updated',
  'Subscription.paused',
  'Subscription.resumed',
  'Subscription.past_due',
  'Subscription.cancelled',
  'Subscription.ended',
];

const GOOD = { number: '4444333322221111', expiryMonth: '12', expiryYear: '2030', cvc: '123' };
const EXPIRES_IN_APRIL = { ...GOOD, expiryMonth: '04', expiryYear: '2026' };

let world: World;
beforeEach(async () => {
  world = await startWorld({ startMs: Date.UTC(2026, 0, 31, 9, 0) });
});
afterEach(() => world.close());

/** What the shop's page does with a client secret and a card, knowing no more than the public key. */
async function payAtFrontEnd(clientSecret: string, cardDetails: object): Promise<Json> {
  const page = world.api.withKey('pk_sandbox_world');
  const { body } = await page.post('/v1/payment-sessions/attempt-payment', {
    clientSecret,
    cardDetails,
    customerDetails: { email: 'sam@example.com' },
  });
  return body;
}

async function customer(): Promise<string> {
  return (await world.api.post('/v1/customers', { email: 'sam@example.com' })).body.id;
}

async function subscribe(customerId: string, interval: object, more: object = {}): Promise<Json> {
  const price = { amount: 1500, currency: 'GBP', interval };
  const { body } = await world.api.post('/v1/subscriptions', {
    customer: { id: customerId },
    price,
    ...more,
  });
  return body;
}

async function look(id: string): Promise<Json> {
  return (await world.api.get(`/v1/subscriptions/${id}`)).body;
}

/** Moves time on to an instant. */
function until(time: string): Promise<void> {
  return world.advance({ ms: Date.parse(`${time}Z`) - world.clock.nowMs() });
}

test('subscription: a year with a front-end payment, a pause, an expired card, a new card and the end', async () => {
  const shop = await world.listen('shop', HEARD);
  const samId = await customer();
  const { id, paymentSessions } = await subscribe(samId, { unit: 'Months', count: 1, times: 10 });
  const paid = await payAtFrontEnd(paymentSessions.initial.clientSecret, EXPIRES_IN_APRIL);
  expect(paid.status).toBe('Captured');
  expect(await look(id)).toMatchObject({ status: 'Active', billingDetail: { currentCycle: 1 } });

  // Two cycles, then a pause over the one of the end of April.
  await until('2026-04-01T00:00');
  await world.api.patch(`/v1/subscriptions/${id}/pause`, {
    reason: 'travelling',
    resumeAtTimestamp: Date.UTC(2026, 4, 10) / 1000,
  });
  await until('2026-05-01T00:00');
  expect(await look(id)).toMatchObject({ status: 'Paused', billingDetail: { currentCycle: 3 } });

  // By the time it resumes the card has expired.
  await until('2026-05-11T12:00');
  const behind = await look(id);
  expect(behind).toMatchObject({
    status: 'PastDue',
    balance: { amount: 1500 },
    billingDetail: {
      currentCycle: 4,
      failureDetail: { paymentAttempts: 2, lastPaymentError: 'expired_card' },
    },
  });
  const settled = await payAtFrontEnd(behind.paymentSessions.latest.clientSecret, GOOD);
  expect(settled.status).toBe('Captured');
  expect(await look(id)).toMatchObject({ status: 'Active', balance: { amount: 0 } });

  await until('2027-01-31T09:00');
  const ended = await look(id);
  expect(ended).toMatchObject({ status: 'Ended', billingDetail: { totalCycles: 10, currentCycle: 10 } });
  const { body } = await world.api.get(`/v1/subscriptions/${id}/payment-sessions?limit=50`);
  expect(body.items).toHaveLength(10);
  for (const session of body.items) {
    expect(session).toMatchObject({ status: 'Captured', amount: 1500, customerDetails: { id: samId } });
  }
  const kept = await world.api.get(`/v1/customers/${samId}/payment-methods`);
  expect(kept.body.items.map(({ card }: Json) => card.expiryYear)).toEqual(['2030', '2026']);

  const told = shop.types().map((type) => type.split('.')[1]);
  const begun = 'created updated';
  const spring = 'updated updated';
  const pause = 'updated paused updated';
  const expiredCard = 'resumed past_due past_due updated';
  const newCard = 'updated updated updated updated updated ended';
  expect(told.join(' ')).toBe([begun, spring, pause, expiredCard, newCard].join(' '));
  expect(shop.signedWith(shop.secret)).toBe(true);
  expect(JSON.stringify(shop.deliveries)).not.toContain('_secret_');
  expect(shop.deliveries.every(({ event }) => event.data.id === id)).toBe(true);
}, 60_000);

test('subscription: charges a card stored with a payment, without asking the customer', async () => {
  const created = await world.api.post('/v1/payment-sessions', { amount: 500, currency: 'GBP' });
  const first = await world.api.post('/v1/payment-sessions/attempt-payment', {
    clientSecret: created.body.clientSecret,
    cardDetails: GOOD,
    customerDetails: { email: 'Sam@Example.com' },
    paymentMethodOptions: { store: true },
  });
  expect(first.body.status).toBe('Captured');
  const samId = first.body.customerDetails.id;
  const { id: cardId } = first.body.paymentMethod.tokenizedDetails;
  const found = await world.api.get('/v1/customers?email=sam@example.com');
  expect(found.body.items).toMatchObject([{ id: samId }]);

  const weekly = { unit: 'Days', count: 7 };
  const subscription = await subscribe(samId, weekly, { paymentMethod: { id: cardId } });
  expect(subscription.status).toBe('Active');
  await world.advance({ minutes: 21 * DAY_MINUTES });
  expect(await look(subscription.id)).toMatchObject({ billingDetail: { currentCycle: 4 } });
  expect((await world.api.delete(`/v1/customers/${samId}`)).status).toBe(400);
  const cancelled = await world.api.delete(`/v1/subscriptions/${subscription.id}/cancel`, {
    reason: 'enough',
  });
  expect(cancelled.body).toMatchObject({ status: 'Cancelled', cancelDetail: { reason: 'enough' } });
  await world.advance({ minutes: 30 * DAY_MINUTES });
  const { body } = await world.api.get(`/v1/subscriptions/${subscription.id}/payment-sessions`);
  expect(body.items).toHaveLength(4);
  expect((await world.api.delete(`/v1/customers/${samId}`)).body).toEqual({ id: samId });
  expect((await world.api.get(`/v1/payment-methods/${cardId}`)).status).toBe(404);
});

test('subscription: billing continues after a server restart', async () => {
  const samId = await customer();
  const { id, paymentSessions } = await subscribe(samId, { unit: 'Days', count: 1 });
  await payAtFrontEnd(paymentSessions.initial.clientSecret, GOOD);
  await world.restartServer();
  await world.advance({ minutes: 2 * DAY_MINUTES });
  expect(await look(id)).toMatchObject({ status: 'Active', billingDetail: { currentCycle: 3 } });
});

test('subscription: a sub account has its own customers and subscriptions, and the platform gets their events', async () => {
  const shop = await world.listen('platform', HEARD);
  const branch = world.api.as(world.subAccountId);
  const { body: sam } = await branch.post('/v1/customers', { email: 'sam@example.com' });
  const price = { amount: 1500, currency: 'GBP', interval: { unit: 'Days', count: 1 } };
  const { body } = await branch.post('/v1/subscriptions', { customer: { id: sam.id }, price });
  expect((await world.api.get(`/v1/subscriptions/${body.id}`)).status).toBe(404);
  await payAtFrontEnd(body.paymentSessions.initial.clientSecret, GOOD);
  await world.advance({ minutes: DAY_MINUTES });
  expect((await branch.get(`/v1/subscriptions/${body.id}`)).body.billingDetail.currentCycle).toBe(2);
  expect(shop.deliveries.map(({ event }) => event.accountId)).toEqual(
    Array.from({ length: 3 }, () => world.subAccountId),
  );
});
