import { expect, onTestFinished, test } from 'vitest';
import { openTill } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';
import {
  challengedDispute,
  customerWithCard,
  earn,
  EARNED_MINUTES,
  good,
  type Json,
} from '../../journeys/one-of-each.ts';
import { openCheckout, STORE } from '../../kit/checkout.ts';

async function worldWith(...faults: object[]) {
  const world = await startWorld();
  onTestFinished(() => world.close());
  if (faults.length > 0) good(await world.api.post('/sandbox/faults', { faults }));
  return world;
}

const struckIn = async ({ api }: World): Promise<Json[]> =>
  (await api.get('/sandbox/faults')).body.items[0].struckByFault;

test('bank.authorisation: an online payment is declined, and its next attempt is not', async () => {
  const world = await worldWith({ at: 'bank.authorisation', what: 'declined' });
  const { session, attempt } = openCheckout(world.api);
  const sold = await session();
  expect((await attempt(sold)).body).toMatchObject({
    status: 'PendingPayment',
    lastError: 'insufficient_funds',
  });
  expect((await attempt(sold)).body).toMatchObject({ status: 'Captured' });
  expect(await struckIn(world)).toEqual([1]);
});

test('bank.authorisation: a payment at a terminal is declined there', async () => {
  const world = await worldWith();
  const till = openTill(world, await world.addTerminal());
  const { terminalId } = till.terminal;
  const fault = { at: 'bank.authorisation', what: 'declined', when: { id: terminalId } };
  good(await world.api.post('/sandbox/faults', { faults: [fault] }));
  expect((await till.takes(1742)).lastError).toBe('insufficient_funds');
  await world.advance({ minutes: 1 });
  till.terminal.perform({ act: 'remove-card' });
  expect((await till.takes(1742)).status).toBe('Captured');
});

test('bank.authorisation: a payment that the bank declines anyway is none that a fault strikes', async () => {
  const world = await worldWith({ at: 'bank.authorisation', what: 'declined' });
  const till = openTill(world, await world.addTerminal());
  expect((await till.takes(1901)).lastError).not.toBeNull();
  expect(await struckIn(world)).toEqual([0]);
});

const MONTH = { minutes: 31 * 24 * 60 };

test('bank.renewal: a renewal stays declined until its customer authenticates, and later ones are charged', async () => {
  const world = await worldWith({ at: 'bank.renewal', what: 'authentication-required' });
  const { subscriptionId } = await customerWithCard(world.api);
  const subscription = async (): Promise<Json> =>
    good(await world.api.get(`/v1/subscriptions/${subscriptionId}`));
  expect((await subscription()).status).toBe('Active');
  await world.advance(MONTH);
  await world.advance({ minutes: 2 * 24 * 60 });
  const { status, billingDetail, paymentSessions } = await subscription();
  expect([status, billingDetail.failureDetail]).toEqual([
    'PastDue',
    { paymentAttempts: 3, lastPaymentError: '3ds_authentication_required' },
  ]);
  const { latest } = paymentSessions;
  expect(await openCheckout(world.api).pay(latest)).toMatchObject({
    status: 'PendingAction',
    requiredAction: { type: 'Challenge' },
  });
  const path = `/sandbox/payment-sessions/${latest.id}/authentication`;
  expect(good(await world.api.post(path, { outcome: 'Authenticated' })).status).toBe('Captured');
  expect(await subscription()).toMatchObject({ status: 'Active', balance: { amount: 0 } });
  await world.advance(MONTH);
  expect(await subscription()).toMatchObject({ status: 'Active', billingDetail: { currentCycle: 3 } });
  expect(await struckIn(world)).toEqual([1]);
});

test('bank.renewal: the retries with the same card are no more strikes, and another card is charged', async () => {
  const world = await worldWith({ at: 'bank.renewal', what: 'authentication-required', when: { times: 8 } });
  const { subscriptionId, customerId } = await customerWithCard(world.api);
  await world.advance(MONTH);
  await world.advance({ minutes: 6 * 24 * 60 });
  expect(await struckIn(world)).toEqual([1]);
  for (const { id } of good(await world.api.get('/sandbox/faults')).items)
    good(await world.api.delete(`/sandbox/faults/${id}`));
  const other = await openCheckout(world.api).captured({ customerDetails: { id: customerId } }, STORE);
  const paymentMethod = { id: other.paymentMethod.tokenizedDetails.id };
  const path = `/v1/subscriptions/${subscriptionId}`;
  expect(good(await world.api.patch(path, { paymentMethod })).status).toBe('Active');
});

test('bank.renewal: another card pays the session that its customer is being asked about, which cannot be paid twice', async () => {
  const world = await worldWith({ at: 'bank.renewal', what: 'authentication-required' });
  const { subscriptionId, customerId } = await customerWithCard(world.api);
  await world.advance(MONTH);
  const path = `/v1/subscriptions/${subscriptionId}`;
  const { latest } = good(await world.api.get(path)).paymentSessions;
  expect(await openCheckout(world.api).pay(latest)).toMatchObject({ status: 'PendingAction' });

  const other = await openCheckout(world.api).captured({ customerDetails: { id: customerId } }, STORE);
  const paymentMethod = { id: other.paymentMethod.tokenizedDetails.id };
  const paid = good(await world.api.patch(path, { paymentMethod }));
  expect([paid.status, paid.paymentSessions.latest.id]).toEqual(['Active', latest.id]);

  const late = await world.api.post(`/sandbox/payment-sessions/${latest.id}/authentication`, {
    outcome: 'Authenticated',
  });
  expect([late.status, late.body.errors[0].message]).toEqual([
    400,
    expect.stringContaining('can no longer be paid'),
  ]);
  // Those of the last month: this cycle, and what was sold for the other card.
  const { items } = good(await world.api.get('/v1/payment-sessions?limit=50'));
  const captured = items.filter(({ status }: Json) => status === 'Captured').map(({ id }: Json) => id);
  expect(captured).toEqual([other.id, latest.id]);
});

const operationOf = (what: string) => `POST /v1/payment-sessions/{paymentSessionId}/${what}`;

test.each([
  ['captures', 'PaymentSession.capture_failed', 'Approved'],
  ['voids', 'PaymentSession.void_failed', 'Approved'],
  ['refunds', 'PaymentSession.refund_failed', 'Captured'],
] as const)('bank.settlement: %s are accepted and fail two seconds later', async (what, event, status) => {
  const when = { operation: operationOf(what) };
  const world = await worldWith({ at: 'bank.settlement', what: 'failed', when });
  const { approved, captured, move, read } = openCheckout(world.api);
  const sold = await (what === 'refunds' ? captured() : approved());
  const accepted = await move(sold, what, {});
  expect([accepted.status, accepted.body.status]).toEqual([202, 'Pending']);
  await world.advance({ seconds: 3 });
  expect((await world.api.get('/v1/events')).body.items[0].eventType).toBe(event);
  expect((await read(sold)).status).toBe(status);
  expect((await move(sold, what, {})).body.status).toBe('Succeeded');
});

test('bank.settlement: a fault of another operation than a capture, void or refund is refused', async () => {
  const world = await worldWith();
  const when = { operation: 'POST /v1/payment-sessions' };
  const { status, body } = await world.api.post('/sandbox/faults', {
    faults: [{ at: 'bank.settlement', what: 'failed', when }],
  });
  expect([status, body.errors[0].message]).toEqual([400, expect.stringContaining('must be an operation')]);
});

test.each([
  ['Won', 'Lost'],
  ['Lost', 'Won'],
])('bank.dispute: one that is decided as %s is %s, and the next one is not', async (meant, status) => {
  const world = await worldWith({ at: 'bank.dispute', what: 'opposite' });
  const decided = async () => {
    const id = await challengedDispute(world.api);
    return good(await world.api.post(`/sandbox/disputes/${id}/outcome`, { status: meant })).status;
  };
  expect([await decided(), await decided()]).toEqual([status, meant]);
});

test('bank.dispute: one that its evidence wins is lost 30 days later, and one that is withdrawn is not struck', async () => {
  const world = await worldWith({ at: 'bank.dispute', what: 'opposite' });
  const withdrawn = await challengedDispute(world.api);
  good(await world.api.post(`/sandbox/disputes/${withdrawn}/outcome`, { status: 'Cancelled' }));
  const id = await challengedDispute(world.api);
  await world.advance({ minutes: 31 * 24 * 60 });
  expect(good(await world.api.get(`/v1/disputes/${id}`)).status).toBe('Lost');
  expect(await struckIn(world)).toEqual([1]);
});

test('bank.payout: a payout fails, and its money is in the balance again', async () => {
  const world = await worldWith({ at: 'bank.payout', what: 'refused' });
  const path = `/v1/accounts/${world.subAccountId}`;
  const { payoutMethodId } = await earn(world, world.subAccountId);
  await world.advance({ minutes: EARNED_MINUTES });
  const balances = async () => {
    const { items } = (await world.api.as(world.subAccountId).get('/v1/balances')).body;
    return items.map(({ lastUpdatedTimestamp: _at, ...balance }: Json) => balance);
  };
  const before = await balances();
  const payout = { amount: 500, currency: 'GBP', payoutMethodId };
  const { id } = good(await world.api.post(`${path}/payouts`, payout));
  expect(await balances()).not.toEqual(before);
  await world.advance({ minutes: 1 });
  expect((await world.api.get(`${path}/payouts/${id}`)).body.status).toBe('Failed');
  expect(await balances()).toEqual(before);
});
