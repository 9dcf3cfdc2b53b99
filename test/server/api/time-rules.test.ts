import { expect, test } from 'vitest';
import { disputeRoutes } from '../../../server/api/disputes/dispute.resource.ts';
import { customerRoutes } from '../../../server/api/customers/customer.resource.ts';
import { attemptRoutes } from '../../../server/api/payments/attempt.resource.ts';
import { captureVoidRefundRoutes } from '../../../server/api/payments/captures-voids-refunds.resource.ts';
import { paymentSessionRoutes } from '../../../server/api/payments/payment-session.resource.ts';
import { registerBilling } from '../../../server/api/subscriptions/billing.ts';
import { subscriptionRoutes } from '../../../server/api/subscriptions/subscription.resource.ts';
import { disputeControlRoutes } from '../../../server/sandbox-controls/dispute-control.resource.ts';
import type { Server } from '../../../server/app.ts';
import { createApi } from '../../../testing/world/api.ts';
import { card, openCheckout } from '../../kit/checkout.ts';
import { smallServer } from '../platform/http/small-server.ts';

const DAY_MS = 86_400_000;

/** A shop on a server that does no jobs: what time ends has ended all the same. */
async function shopWithoutJobs() {
  const server = await smallServer([
    ...paymentSessionRoutes,
    ...attemptRoutes,
    ...captureVoidRefundRoutes,
    ...customerRoutes,
    ...disputeRoutes,
    ...disputeControlRoutes,
    ...subscriptionRoutes,
  ]);
  registerBilling(server.services);
  const api = createApi(() => server as unknown as Server, server.services.settings.secretKey);
  return { api, shop: openCheckout(api), days: (count: number) => server.clock.advance(count * DAY_MS) };
}

const refusalOf = ({ status, body }: { status: number; body: { errors?: { message: string }[] } }) => [
  status,
  body.errors?.[0]?.message,
];

test.each(['captures', 'voids'] as const)('hold: %s are refused once it has expired', async (what) => {
  const { shop, days } = await shopWithoutJobs();
  const [early, late] = [await shop.approved(), await shop.approved()];
  await days(7 - 1 / DAY_MS);
  expect((await shop.move(early, what)).status).toBe(202);
  await days(1 / DAY_MS);
  const refused = await shop.move(late, what);
  expect(refusalOf(refused)).toEqual([400, expect.stringContaining('Voided')]);
});

test('hold: it counts from the approval, not from the creation of the session', async () => {
  const { shop, days } = await shopWithoutJobs();
  const session = await shop.session({ captureFlow: 'Manual' });
  await days(3);
  await shop.pay(session);
  await days(6);
  expect((await shop.move(session, 'captures')).status).toBe(202);
});

test('hold: after a capture in part its rest cannot be captured, and what was captured can be refunded', async () => {
  const { shop, days } = await shopWithoutJobs();
  const session = await shop.approved();
  await shop.move(session, 'captures', { amount: 500, captureType: 'NotFinal' });
  await days(7);
  expect(refusalOf(await shop.move(session, 'captures'))).toEqual([400, expect.stringContaining('Captured')]);
  expect((await shop.move(session, 'refunds')).body).toMatchObject({ amount: 500 });
});

test('dispute: evidence, challenge and acceptance are refused once the time to respond is over', async () => {
  const { api, shop, days } = await shopWithoutJobs();
  const session = await shop.captured();
  const { body: dispute } = await api.post(`/sandbox/payment-sessions/${session.id}/disputes`, {});
  const path = `/v1/disputes/${dispute.id}`;
  const evidence = { text: { uncategorisedText: 'It was picked up.' } };
  await days(14 - 1 / DAY_MS);
  const added = await api.patch(`${path}/evidence`, evidence);
  expect(added.status).toBe(200);
  await days(1 / DAY_MS);
  for (const answer of [
    await api.patch(`${path}/evidence`, evidence),
    await api.post(`${path}/challenge`),
    await api.post(`${path}/accept`),
    await api.post(`/sandbox/disputes/${dispute.id}/outcome`, { status: 'Won' }),
  ])
    expect(refusalOf(answer)).toEqual([400, expect.stringContaining('Expired')]);
});

test('subscription: a pause that is requested when a cycle is due begins after that cycle', async () => {
  const { api, days } = await shopWithoutJobs();
  const { body: customer } = await api.post('/v1/customers', { email: 'sam@example.com' });
  const price = { amount: 900, currency: 'GBP', interval: { unit: 'Days', count: 7 } };
  const { body: created } = await api.post('/v1/subscriptions', { customer: { id: customer.id }, price });
  const { clientSecret } = created.paymentSessions.initial;
  await api.post('/v1/payment-sessions/attempt-payment', { clientSecret, cardDetails: card() });
  await days(15);
  const { body } = await api.patch(`/v1/subscriptions/${created.id}/pause`, { reason: 'away' });
  expect(body.billingDetail.currentCycle).toBe(3);
  const { body: sessions } = await api.get(`/v1/subscriptions/${created.id}/payment-sessions`);
  expect(sessions.items).toHaveLength(3);
});
