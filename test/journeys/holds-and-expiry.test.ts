import { afterEach, beforeEach, expect, test } from 'vitest';
import { CARDS, encoded, listenForPayments, openCheckout, type Checkout } from '../kit/checkout.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

const DAY = 86_400; // seconds

let world: World;
let shop: Checkout;
beforeEach(async () => {
  world = await startWorld();
  shop = openCheckout(world.api, world.api.withKey('pk_sandbox_world'));
});
afterEach(() => world.close());

test(
  'hold: an approved payment that is not captured within seven days is voided',
  { tags: ['spec:2.2/hold-seven-days'] },
  async () => {
    const heard = await listenForPayments(world);
    const session = await shop.approved();
    await world.advance({ seconds: 7 * DAY - 1 });
    expect(await shop.read(session)).toMatchObject({ status: 'Approved' });
    await world.advance({ seconds: 1 });
    expect(await shop.read(session)).toMatchObject({ status: 'Voided' });
    expect((await shop.transactions(session)).map(({ type }) => type)).toEqual(['Authorization', 'Void']);
    expect(heard()).toEqual(['approved', 'voided']);
    expect((await shop.move(session, 'captures')).status).toBe(400);
  },
);

test('hold: a payment captured in part stays captured when the hold expires, and the rest is released', async () => {
  const heard = await listenForPayments(world);
  const session = await shop.approved();
  await shop.move(session, 'captures', { amount: 500, captureType: 'NotFinal' });
  await world.advance({ seconds: 7 * DAY });
  expect(await shop.read(session)).toMatchObject({ status: 'Captured' });
  expect(heard()).toEqual(['approved', 'captured', 'captured']);
  expect((await shop.move(session, 'refunds')).body).toMatchObject({ amount: 500 });
});

test('hold: expiry leaves captured, voided and verification payments as they are', async () => {
  const captured = await shop.approved();
  await shop.move(captured, 'captures');
  const voided = await shop.approved();
  await shop.move(voided, 'voids');
  const verified = await shop.pay(await shop.session({ amount: 0, verifyAccount: true }));
  const heard = await listenForPayments(world);
  await world.advance({ seconds: 8 * DAY });
  expect(heard()).toEqual([]);
  for (const [session, status] of [
    [captured, 'Captured'],
    [voided, 'Voided'],
    [verified, 'Approved'],
  ] as const)
    expect(await shop.read(session)).toMatchObject({ status });
});

test(
  'session expiry: a session not paid within seven days stays pending and takes no attempt or update',
  { tags: ['spec:3/session-expires'] },
  async () => {
    const session = await shop.session();
    await world.advance({ seconds: 7 * DAY - 1 });
    expect((await shop.update(session, { metadata: { late: 'nearly' } })).status).toBe(200);
    await world.advance({ seconds: 1 });
    const expired = {
      status: 400,
      body: { errors: [{ code: 'bad_request', message: expect.stringContaining('expired') }] },
    };
    expect(await shop.attempt(session)).toMatchObject(expired);
    expect(await shop.update(session, { metadata: {} })).toMatchObject(expired);
    expect(await shop.read(session)).toMatchObject({ status: 'PendingPayment' });
  },
);

test('session expiry: a 3DS challenge cannot be completed after seven days', async () => {
  const heard = await listenForPayments(world);
  const session = await shop.session();
  await shop.pay(session, CARDS.challenge);
  await world.advance({ seconds: 7 * DAY });
  const now = await shop.read(session);
  expect(now).toMatchObject({ status: 'PendingPayment' });
  expect(now).not.toHaveProperty('requiredAction');
  const { status } = await shop.goOn(session, { challengeResult: encoded({ transStatus: 'Y' }) });
  expect(status).toBe(400);
  expect(heard()).toEqual(['requires_action']);
});

test('hold: survives a restart of the server, which voids in time', async () => {
  const session = await shop.approved();
  await world.restartServer();
  await world.advance({ seconds: 7 * DAY });
  expect(await shop.read(session)).toMatchObject({ status: 'Voided' });
});
