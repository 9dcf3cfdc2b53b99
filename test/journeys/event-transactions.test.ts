import { afterEach, beforeEach, expect, test } from 'vitest';
import { card, CARDS, openCheckout, PAYMENT_EVENTS, type Checkout } from '../kit/checkout.ts';
import { openTill } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

let world: World;
let shop: Checkout;
/** Data of each event so far, with its type. */
let received: () => [string, Json][];
beforeEach(async () => {
  world = await startWorld();
  shop = openCheckout(world.api, world.api.withKey('pk_sandbox_world'));
  const receiver = await world.listen('shop', [...PAYMENT_EVENTS]);
  received = () => receiver.deliveries.map(({ event }) => [event.eventType.split('.')[1]!, event.data]);
});
afterEach(() => world.close());

/** Of each event, its type and the type, status and amount of the transaction that it names. */
async function transactionsNamed(session: Json): Promise<unknown[]> {
  const transactions = await shop.transactions(session);
  return received().map(([type, { paymentTransactionId }]) => {
    const named = transactions.find(({ id }) => id === paymentTransactionId);
    return [type, named && `${named.type} ${named.status} ${named.amount}`];
  });
}

test('payment events: each names its transaction, so that two refunds can be told apart', async () => {
  const session = await shop.captured();
  await shop.move(session, 'refunds', { amount: 250 });
  await shop.move(session, 'refunds', { amount: 250 });
  await world.settled();
  expect(await transactionsNamed(session)).toEqual([
    ['approved', 'Authorization Succeeded 1250'],
    ['captured', 'Capture Succeeded 1250'],
    ['refunded', 'Refund Succeeded 250'],
    ['refunded', 'Refund Succeeded 250'],
  ]);
  const ids = received().map(([, data]) => data.paymentTransactionId);
  expect(new Set(ids).size).toBe(4);
  expect(await shop.read(session)).not.toHaveProperty('paymentTransactionId');
});

test('payment events: declined, voided, and failed captures, voids and refunds name their transactions', async () => {
  const held = await shop.session({ captureFlow: 'Manual' });
  await shop.attempt(held, { cardDetails: card(CARDS.declining, { cvc: '100' }) });
  await shop.pay(held, CARDS.identify);
  await shop.pay(held);
  for (const [what, type] of [
    ['captures', 'Capture'],
    ['voids', 'Void'],
  ] as const) {
    await world.api.post(`/sandbox/payment-sessions/${held.id}/fail-next`, { type });
    await shop.move(held, what);
    await world.advance({ seconds: 2 });
  }
  await shop.move(held, 'voids');
  await world.settled();
  expect(await transactionsNamed(held)).toEqual([
    ['declined', 'Authorization Failed 1250'],
    ['requires_action', undefined],
    ['approved', 'Authorization Succeeded 1250'],
    ['capture_failed', 'Capture Failed 1250'],
    ['void_failed', 'Void Failed 1250'],
    ['voided', 'Void Succeeded 1250'],
  ]);
});

test('payment events: when a hold expires they name the void, or the last capture', async () => {
  const partly = await shop.approved();
  await shop.move(partly, 'captures', { amount: 300, captureType: 'NotFinal' });
  await shop.move(partly, 'captures', { amount: 500, captureType: 'NotFinal' });
  await world.advance({ seconds: 7 * 86_400 });
  expect(await transactionsNamed(partly)).toEqual([
    ['approved', 'Authorization Succeeded 1250'],
    ['captured', 'Capture Succeeded 300'],
    ['captured', 'Capture Succeeded 500'],
    ['captured', 'Capture Succeeded 500'],
  ]);
  const before = received().length;
  const whole = await shop.approved();
  await world.advance({ seconds: 7 * 86_400 });
  expect((await transactionsNamed(whole)).slice(before)).toEqual([
    ['approved', 'Authorization Succeeded 1250'],
    ['voided', 'Void Succeeded 1250'],
  ]);
});

test('payment events: paymentMethod.id is the id of the token, also of a payment on a terminal', async () => {
  await shop.captured();
  const till = openTill(world, await world.addTerminal());
  const { body } = await till.pay(1742);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.settled();
  const online = received()[0]![1].paymentMethod;
  expect(online.id).toMatch(/^pmt_/);
  for (const [, { paymentMethod }] of received())
    expect(paymentMethod.id).toBe(paymentMethod.tokenizedDetails?.id);
  const session = { id: body.action.transaction.paymentSessionId };
  expect((await transactionsNamed(session)).slice(2)).toEqual([
    ['approved', 'Authorization Succeeded 1742'],
    ['captured', 'Capture Succeeded 1742'],
  ]);
});
