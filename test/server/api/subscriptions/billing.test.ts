import { expect, test } from 'vitest';
import { Refusal } from '../../../../server/platform/http/refusals.ts';
import { MONTH_ENDS } from './month-ends.ts';
import { DAY, START, subscriptionServer } from './subscription-server.ts';

const stamp = (time: string) => Date.parse(`${time}Z`) / 1000;
const dayOf = ({ createdTimestamp }: { createdTimestamp: number }) =>
  new Date(createdTimestamp * 1000).toISOString().slice(0, 10);

test(
  'subscription billing: twelve months are billed on the last days of the months, and then it ends',
  { tags: ['spec:1/subscription-billing'] },
  async () => {
    const server = await subscriptionServer();
    const price = { amount: 900, currency: 'GBP', interval: { unit: 'Months', count: 1, times: 12 } };
    const { id } = await server.subscribe({ paymentMethod: { id: await server.card() }, price });
    await server.until('2027-03-01T00:00');
    const sessions = await server.sessions(id);
    expect(sessions.map(dayOf)).toEqual(MONTH_ENDS);
    const [first, ...later] = sessions;
    for (const session of later) {
      expect(session).toMatchObject({ status: 'Captured', amount: 900, previousPayment: { id: first.id } });
    }
    expect(await server.look(id)).toMatchObject({
      status: 'Ended',
      paymentSessions: { initial: { id: first.id }, latest: { id: later.at(-1).id } },
      billingDetail: { totalCycles: 12, currentCycle: 12, billingCycleTimestamp: START },
    });
    expect(await server.events()).toEqual([
      'created',
      ...Array.from({ length: 10 }, () => 'updated'),
      'ended',
    ]);
  },
);

test(
  'GET /subscriptions/{subscriptionId}: returns the start, the end and the next billing of each cycle',
  { tags: ['spec:4.8/GET/subscriptions/{subscriptionId}'] },
  async () => {
    const server = await subscriptionServer();
    const price = { amount: 900, currency: 'GBP', interval: { unit: 'Days', count: 10 } };
    const { id } = await server.subscribe({ paymentMethod: { id: await server.card() }, price });
    await server.clock.advance(25 * DAY * 1000);
    expect((await server.look(id)).billingDetail).toEqual({
      totalCycles: 0,
      currentCycle: 3,
      currentCycleStartTimestamp: START + 20 * DAY,
      currentCycleEndTimestamp: START + 30 * DAY,
      billingCycleTimestamp: START,
      nextBillingTimestamp: START + 30 * DAY,
    });
  },
);

test('subscription billing: a server that was down bills each cycle that became due', async () => {
  const server = await subscriptionServer();
  const { id } = await server.subscribe({ paymentMethod: { id: await server.card() } });
  await server.awayUntil('2026-04-15T00:00');
  expect(await server.sessions(id)).toHaveLength(3);
  expect((await server.look(id)).billingDetail).toMatchObject({
    currentCycle: 3,
    nextBillingTimestamp: stamp('2026-04-30T09:30'),
  });
});

test('subscription billing: an expired card is retried daily, four times', async () => {
  const server = await subscriptionServer();
  const paymentMethod = { id: await server.card({ expiryMonth: '01', expiryYear: '2026' }) };
  const { id } = await server.subscribe({ paymentMethod });
  await server.until('2026-02-28T09:30');
  const failed = await server.look(id);
  expect(failed).toMatchObject({
    status: 'PastDue',
    balance: { amount: 900 },
    billingDetail: {
      currentCycle: 2,
      nextBillingTimestamp: stamp('2026-03-01T09:30'),
      failureDetail: { paymentAttempts: 1, lastPaymentError: 'expired_card' },
    },
  });
  await server.until('2026-03-03T10:00');
  expect((await server.look(id)).billingDetail).toMatchObject({
    nextBillingTimestamp: stamp('2026-03-04T09:30'),
    failureDetail: { paymentAttempts: 4 },
  });
  await server.until('2026-06-01T00:00');
  const left = await server.look(id);
  expect(left).toMatchObject({
    status: 'PastDue',
    balance: { amount: 900 },
    billingDetail: { currentCycle: 2, failureDetail: { paymentAttempts: 5 } },
  });
  expect(left.billingDetail.nextBillingTimestamp).toBeUndefined();
  // Every try is made in the session that is open for it, so that it can be paid once only.
  expect(await server.sessions(id)).toMatchObject([
    { status: 'Captured' },
    { id: left.paymentSessions.latest.id, status: 'PendingPayment', lastError: 'expired_card' },
  ]);
  expect(await server.events()).toEqual(['created', ...Array.from({ length: 5 }, () => 'past_due')]);
});

test('subscription billing: a new card is charged the balance at once, and billing continues with the next cycle', async () => {
  const server = await subscriptionServer();
  const paymentMethod = { id: await server.card({ expiryMonth: '01', expiryYear: '2026' }) };
  const { id } = await server.subscribe({ paymentMethod });
  await server.until('2026-03-01T12:00');
  const fresh = await server.card();
  const { status, body } = await server.call(`PATCH /subscriptions/${id}`, { paymentMethod: { id: fresh } });
  expect([status, body.status]).toEqual([200, 'Active']);
  expect(body).toMatchObject({
    paymentMethod: { id: fresh },
    balance: { amount: 0 },
    billingDetail: { currentCycle: 2, nextBillingTimestamp: stamp('2026-03-31T09:30') },
  });
  expect(body.billingDetail.failureDetail).toBeUndefined();
  expect(await server.events()).toEqual(['created', 'past_due', 'past_due', 'updated']);
  await server.until('2026-03-31T09:30');
  expect((await server.look(id)).billingDetail.currentCycle).toBe(3);
});

test('subscription billing: a retry that succeeds clears the balance', async () => {
  const server = await subscriptionServer();
  const card = await server.card({ expiryYear: '2025' });
  const { id } = await server.subscribe({ paymentMethod: { id: card } });
  await server.services.store.run(`UPDATE payment_methods SET expiry_year = '2031' WHERE id = ?`, card);
  await server.clock.advance(DAY * 1000);
  const { initial, latest } = (await server.look(id)).paymentSessions;
  expect(latest.id).toBe(initial.id);
  expect(await server.look(id)).toMatchObject({ status: 'Active', balance: { amount: 0 } });
  expect(await server.events()).toEqual(['created', 'past_due', 'updated']);
});

test('subscription billing: the customer pays the balance at the front end, and that card is charged from then on', async () => {
  const server = await subscriptionServer();
  const old = await server.card({ expiryMonth: '01', expiryYear: '2026' });
  const { id } = await server.subscribe({ paymentMethod: { id: old } });
  await server.until('2026-02-28T10:00');
  const { latest } = (await server.look(id)).paymentSessions;
  expect(await server.pay(latest.id)).toBe('Captured');
  const paid = await server.look(id);
  expect(paid).toMatchObject({ status: 'Active', balance: { amount: 0 } });
  expect(paid.paymentMethod.id).not.toBe(old);
  await server.until('2026-03-31T10:00');
  expect((await server.sessions(id)).at(-1)).toMatchObject({
    status: 'Captured',
    paymentMethod: { tokenizedDetails: { id: paid.paymentMethod.id } },
  });
});

test('subscription billing: cycles that passed while a payment was due are not billed', async () => {
  const server = await subscriptionServer();
  const paymentMethod = { id: await server.card({ expiryMonth: '01', expiryYear: '2026' }) };
  const { id } = await server.subscribe({ paymentMethod });
  await server.until('2026-06-15T00:00');
  const fresh = { paymentMethod: { id: await server.card() } };
  const { body } = await server.call(`PATCH /subscriptions/${id}`, fresh);
  expect(body).toMatchObject({
    status: 'Active',
    billingDetail: {
      currentCycle: 2,
      currentCycleStartTimestamp: stamp('2026-05-31T09:30'),
      currentCycleEndTimestamp: stamp('2026-06-30T09:30'),
      nextBillingTimestamp: stamp('2026-06-30T09:30'),
    },
  });
});

test('subscription billing: without its deleted card a session for the front end is left, and nothing is retried', async () => {
  const server = await subscriptionServer();
  const card = await server.card();
  const { id } = await server.subscribe({ paymentMethod: { id: card } });
  await server.call(`DELETE /payment-methods/${card}`);
  await server.until('2026-03-20T00:00');
  const behind = await server.look(id);
  expect(behind).toMatchObject({
    status: 'PastDue',
    balance: { amount: 900 },
    billingDetail: { failureDetail: { paymentAttempts: 1, lastPaymentError: 'payment_method_missing' } },
  });
  expect(behind.billingDetail.nextBillingTimestamp).toBeUndefined();
  expect(await server.sessions(id)).toMatchObject([{ status: 'Captured' }, { status: 'PendingPayment' }]);
});

test('subscription billing: an obsolete session cannot be paid', async () => {
  const server = await subscriptionServer();
  const pending = await server.subscribe();
  // Another price asks for another session, once a card is there to be charged.
  const { initial } = pending.paymentSessions;
  await server.services.store.run(`UPDATE payment_sessions SET amount_minor = 800 WHERE id = ?`, initial.id);
  const card = { paymentMethod: { id: await server.card() } };
  const active = (await server.call(`PATCH /subscriptions/${pending.id}`, card)).body;
  expect(active.paymentSessions.latest.id).not.toBe(initial.id);
  await expect(server.pay(initial.id)).rejects.toThrow(Refusal);
  expect(await server.look(pending.id)).toEqual(active);

  const other = await server.subscribe();
  await server.call(`DELETE /subscriptions/${other.id}`);
  await expect(server.pay(other.paymentSessions.initial.id)).rejects.toThrow(Refusal);
  expect(await server.sessions(other.id)).toMatchObject([{ status: 'PendingPayment' }]);

  const later = await server.subscribe({ ...card, billingCycleTimestamp: START + DAY });
  await server.clock.advance(DAY * 1000);
  await expect(server.pay(later.paymentSessions.initial.id)).rejects.toThrow(Refusal);
});
