import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCheckout } from '../kit/checkout.ts';
import { ledgerProblems } from '../kit/ledger.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

const DAY_MINUTES = 24 * 60;

const worlds: World[] = [];
let original: World;
beforeEach(async () => {
  original = await startWorld({ startMs: Date.UTC(2026, 0, 31, 9, 0) });
  worlds.push(original);
});
afterEach(async () => {
  for (const world of worlds.splice(0)) {
    expect(await ledgerProblems(world)).toEqual([]);
    await world.close();
  }
});

async function fork(): Promise<World> {
  const forked = await original.fork();
  worlds.push(forked);
  return forked;
}

async function balance({ api }: World): Promise<number> {
  const { pending, cleared, available } = (await api.get('/v1/balances?currency=GBP')).body.items[0];
  return pending.amount + cleared.amount + available.amount;
}

test('a subscription forked in its second cycle: renewed in one fork, cancelled in the other, and untouched in the original', async () => {
  const shop = await original.listen('shop', ['Subscription.updated', 'Subscription.cancelled']);
  const customer = (await original.api.post('/v1/customers', { email: 'sam@example.com' })).body;
  const price = { amount: 1500, currency: 'GBP', interval: { unit: 'Months', count: 1, times: 10 } };
  const { id, paymentSessions } = (
    await original.api.post('/v1/subscriptions', { customer: { id: customer.id }, price })
  ).body;
  await original.api.withKey('pk_sandbox_world').post('/v1/payment-sessions/attempt-payment', {
    clientSecret: paymentSessions.initial.clientSecret,
    cardDetails: { number: '4444333322221111', expiryMonth: '12', expiryYear: '2030', cvc: '123' },
    customerDetails: { email: 'sam@example.com' },
  });
  await original.advance({ minutes: 40 * DAY_MINUTES });
  const subscription = async ({ api }: World) => (await api.get(`/v1/subscriptions/${id}`)).body;
  const payments = async ({ api }: World) =>
    (await api.get(`/v1/subscriptions/${id}/payment-sessions`)).body.items.map(
      ({ status }: { status: string }) => status,
    );
  const atFork = await subscription(original);
  const delivered = shop.types().length;

  const renewed = await fork();
  const cancelled = await fork();
  expect([await subscription(renewed), await subscription(cancelled)]).toEqual([atFork, atFork]);

  await renewed.advance({ minutes: 30 * DAY_MINUTES });
  await cancelled.api.delete(`/v1/subscriptions/${id}/cancel`, { reason: 'moved away' });
  await cancelled.advance({ minutes: 30 * DAY_MINUTES });

  expect(await subscription(renewed)).toMatchObject({
    status: 'Active',
    billingDetail: { currentCycle: atFork.billingDetail.currentCycle + 1 },
  });
  expect(await payments(renewed)).toEqual(['Captured', 'Captured', 'Captured']);
  expect(renewed.receivers.named('shop')!.types()).toEqual(['Subscription.updated']);
  expect(await subscription(cancelled)).toMatchObject({ status: 'Cancelled' });
  expect(await payments(cancelled)).toEqual(['Captured', 'Captured']);
  expect(cancelled.receivers.named('shop')!.types()).toContain('Subscription.cancelled');
  expect(await subscription(original)).toEqual(atFork);
  expect(shop.types()).toHaveLength(delivered);
});

test('a dispute forked while it is open: won in one fork, expired in the other, and open in the original', async () => {
  const shop = await original.listen('shop', ['Dispute.challenged', 'Dispute.closed']);
  const session = await openCheckout(original.api).captured({ amount: 5_000 });
  const before = await balance(original);
  const { id, respondBy } = (
    await original.api.post(`/sandbox/payment-sessions/${session.id}/disputes`, {
      category: 'CardholderDispute',
    })
  ).body;
  const dispute = async ({ api }: World) => (await api.get(`/v1/disputes/${id}`)).body;

  const won = await fork();
  const expired = await fork();
  await won.api.patch(`/v1/disputes/${id}/evidence`, {
    text: { uncategorised: 'Signed for at the door' },
  });
  await won.api.post(`/v1/disputes/${id}/challenge`);
  await won.api.post(`/sandbox/disputes/${id}/outcome`, { status: 'Won' });
  await won.settled();
  await expired.advance({ ms: respondBy * 1000 - expired.clock.nowMs() });

  expect(await dispute(won)).toMatchObject({ status: 'Won' });
  expect(await balance(won)).toBe(before);
  expect(won.receivers.named('shop')!.types()).toEqual(['Dispute.challenged', 'Dispute.closed']);
  expect(await dispute(expired)).toMatchObject({ status: 'Expired' });
  expect(await balance(expired)).toBe(before - 5_000);
  expect(expired.receivers.named('shop')!.types()).toEqual(['Dispute.closed']);
  expect(await dispute(original)).toMatchObject({ status: 'Open', respondBy });
  expect(shop.types()).toEqual([]);
});
