import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  CARDS,
  encoded,
  listenForPayments,
  openCheckout,
  PAYMENT_EVENTS,
  type Checkout,
} from '../kit/checkout.ts';
import { openTill } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

let world: World;
let shop: Checkout;
beforeEach(async () => {
  world = await startWorld();
  shop = openCheckout(world.api, world.api.withKey('pk_sandbox_world'));
});
afterEach(() => world.close());

test(
  'online payment: 3DS sends every event in order and whole, never with the client secret',
  { tags: ['spec:2.1/metadata-in-events', 'spec:3/capture-event'] },
  async () => {
    const receiver = await world.listen('shop', [...PAYMENT_EVENTS]);
    const session = await shop.session({ metadata: { order: '42' } });
    await shop.pay(session, CARDS.identifyThenChallenge);
    await shop.goOn(session, { fingerprint: encoded({}) });
    await shop.goOn(session, { challengeResult: encoded({ transStatus: 'N' }) });
    await shop.pay(session, CARDS.challenge);
    const { body: paid } = await shop.goOn(session, { challengeResult: encoded({ transStatus: 'Y' }) });
    await shop.move(session, 'refunds', { amount: 250 });
    await world.settled();
    const told = receiver.deliveries.map(({ event }) => [event.eventType.split('.')[1], event.data.status]);
    expect(told).toEqual([
      ['requires_action', 'PendingAction'],
      ['requires_action', 'PendingAction'],
      ['declined', 'PendingPayment'],
      ['requires_action', 'PendingAction'],
      ['approved', 'Approved'],
      ['captured', 'Captured'],
      ['refunded', 'Captured'],
    ]);
    const { clientSecret: _secret, ...last } = { ...paid, refundedAmount: 250 };
    expect(receiver.deliveries[6]!.event.data).toMatchObject(last);
    expect(receiver.deliveries[2]!.event.data.lastError).toBe('3ds_authentication_failure');
    expect(JSON.stringify(receiver.deliveries)).not.toContain('_secret_');
    expect(receiver.signedWith(receiver.secret)).toBe(true);
  },
);

test(
  'online payment: a capture, void or refund can fail after it was accepted, moves no money, and can be repeated',
  { tags: ['spec:2.2/one-refund-at-a-time'] },
  async () => {
    const heard = await listenForPayments(world);
    const fail = async ({ id }: { id: string }, type: string) => {
      const { status } = await world.api.post(`/sandbox/payment-sessions/${id}/fail-next`, { type });
      expect(status).toBe(200);
    };
    const held = await shop.approved();
    for (const [what, type] of [
      ['captures', 'Capture'],
      ['voids', 'Void'],
    ] as const) {
      await fail(held, type);
      expect(await shop.move(held, what)).toMatchObject({ status: 202, body: { type, status: 'Pending' } });
      await world.advance({ seconds: 2 });
      expect(await shop.read(held)).toMatchObject({ status: 'Approved' });
    }
    await shop.move(held, 'captures');
    await fail(held, 'Refund');
    expect((await shop.move(held, 'refunds')).body).toMatchObject({ type: 'Refund', status: 'Pending' });
    // One refund at a time, also while it is on its way to fail.
    expect(await shop.move(held, 'refunds')).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'bad_request' }] },
    });
    await world.advance({ seconds: 2 });
    expect(await shop.read(held)).toMatchObject({ status: 'Captured', refundedAmount: 0 });
    expect((await shop.move(held, 'refunds')).body).toMatchObject({ status: 'Succeeded', amount: 1250 });
    await world.settled();
    expect(heard()).toEqual([
      'approved',
      'capture_failed',
      'void_failed',
      'captured',
      'refund_failed',
      'refunded',
    ]);
    const ends = (await shop.transactions(held)).map(({ type, status }) => `${type} ${status}`);
    expect(ends).toEqual([
      'Authorization Succeeded',
      'Capture Failed',
      'Void Failed',
      'Capture Succeeded',
      'Refund Failed',
      'Refund Succeeded',
    ]);
  },
);

test('terminal payment: cannot be attempted online, and is refunded online once captured', async () => {
  const till = openTill(world, await world.addTerminal());
  const { body } = await till.pay(1742);
  const session = await till.session(body.action.transaction.paymentSessionId);
  expect((await shop.attempt(session)).status).toBe(400);
  expect((await shop.update(session, { amount: 1 })).status).toBe(400);
  expect((await shop.update(session, { metadata: { table: '4' } })).body.metadata).toEqual({ table: '4' });
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.settled();
  expect(await till.session(session.id)).toMatchObject({ status: 'Captured', metadata: { table: '4' } });
  expect((await shop.move(session, 'refunds', { amount: 742 })).status).toBe(202);
  await till.refund(session.id);
  await till.reaches('awaitingCard');
  // The terminal's refund is under way.
  expect((await shop.move(session, 'refunds')).status).toBe(400);
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.settled();
  expect(await till.session(session.id)).toMatchObject({ refundedAmount: 1742 });
});

test('attempt-payment: of ten concurrent attempts on one session one succeeds', async () => {
  const session = await shop.session();
  const answers = await Promise.all(Array.from({ length: 10 }, () => shop.attempt(session)));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 400)]);
  const kinds = (await shop.transactions(session)).map(({ type }) => type);
  expect(kinds).toEqual(['Authorization', 'Capture']);
});
