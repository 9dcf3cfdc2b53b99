import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answerFrom } from '../../examples/shop/http-server.js';
import { openOrderBook, type OrderBook } from '../../examples/shop/order-book.js';
import { openPayments } from '../../examples/shop/right/payments.js';
import { openShop, type Shop } from '../../examples/shop/shop.js';
import { EVENT_TYPES } from '../../examples/shop/webhook.js';
import { delay } from '../../protocol/clock.ts';
import type { Receiver } from '../../testing/world/receivers.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

let world: World;
let book: OrderBook;
let shop: Shop;
let endpoint: Receiver & { secret: string };
let terminalId: string;

/** Opens the shop on its order book, as its process does when it starts. */
function open(): void {
  const { publicUrl: url, secretKey } = world.server.services.settings;
  const sleep = (ms: number) => delay(world.clock, ms);
  const ofShop = { openPayments, book, terminalId, webhookSecret: endpoint.secret };
  shop = openShop({ ...ofShop, url, secretKey, fetch: world.fetch, sleep });
}

beforeEach(async () => {
  world = await startWorld({ cardholder: { script: 'tap', card: 'visa-contactless', delayMs: 1_000 } });
  ({ terminalId } = await world.addTerminal());
  endpoint = await world.listen('shop', EVENT_TYPES);
  endpoint.behaviour = ({ body, signature }) => shop.receive(body, signature);
  book = openOrderBook(':memory:');
  open();
});
afterEach(async () => {
  shop.close();
  await world.close();
  book.close();
});

/** Sells something and lets the customer pay it. */
async function sell(orderId: string, amount: number) {
  shop.sell({ orderId, amount, description: '2 × Tea' });
  await world.advance({ minutes: 1 });
  return shop.order(orderId);
}

test('example shop: an order that the customer pays is in the books', async () => {
  shop.sell({ orderId: 'order-1', amount: 440 });
  expect(shop.order('order-1').status).toBe('paying');
  await world.advance({ minutes: 1 });
  expect(shop.order('order-1')).toMatchObject({ status: 'paid', reason: null, attempt: 1 });
  expect(shop.books()).toEqual({ orders: [{ orderId: 'order-1', paid: true, amount: 440, refunded: 0 }] });
});

test('example shop: an order that is sent again is not sold again', async () => {
  await sell('order-1', 440);
  await sell('order-1', 440);
  expect(shop.orders()).toHaveLength(1);
  expect((await world.api.get('/v1/payment-sessions')).body.items).toHaveLength(1);
});

test('example shop: an order that was declined says why, and can be paid again', async () => {
  expect(await sell('order-1', 1901)).toMatchObject({ status: 'failed', reason: 'insufficient_funds' });
  expect(shop.books().orders).toEqual([{ orderId: 'order-1', paid: false, amount: 1901, refunded: 0 }]);
  expect(shop.pay('order-1')).toMatchObject({ status: 'paying', attempt: 2 });
  await world.advance({ minutes: 1 });
  expect((await world.api.get('/v1/payment-sessions')).body.items).toHaveLength(2);
});

test('example shop: a refund gives all of it back, once', async () => {
  await sell('order-1', 440);
  shop.refund('order-1');
  await world.advance({ minutes: 1 });
  expect(shop.order('order-1').status).toBe('refunded');
  expect(shop.books().orders).toEqual([{ orderId: 'order-1', paid: true, amount: 440, refunded: 440 }]);
  expect(() => shop.refund('order-1')).toThrow('only a paid order can be refunded');
});

test('example shop: a cancellation before the card is there ends the payment, after it only asks for it', async () => {
  shop.sell({ orderId: 'order-1', amount: 440 });
  await world.settled();
  shop.cancel('order-1');
  expect(shop.order('order-1')).toMatchObject({ status: 'paying', cancel: 'asked' });
  await world.advance({ minutes: 1 });
  expect(shop.order('order-1').status).toBe('cancelled');
  expect(shop.books().orders[0]).toMatchObject({ paid: false });
});

test('example shop: what the terminal did while the shop was away is booked when it starts again', async () => {
  shop.sell({ orderId: 'order-1', amount: 440 });
  await world.settled();
  shop.close();
  endpoint.behaviour = 503;
  await world.advance({ minutes: 1 });
  open();
  await world.advance({ minutes: 1 });
  expect(shop.order('order-1').status).toBe('paid');
  // The webhooks that are sent again bring nothing new.
  endpoint.behaviour = ({ body, signature }) => shop.receive(body, signature);
  await world.advance({ minutes: 120 });
  expect(shop.books().orders[0]).toMatchObject({ paid: true, amount: 440 });
});

test('example shop: an event is booked once, and only when it is signed', async () => {
  await sell('order-1', 440);
  const { body, signature } = endpoint.deliveries.find(
    ({ event }) => event.eventType === 'PaymentSession.captured',
  )!;
  expect([shop.receive(body, signature), shop.receive(body, '')]).toEqual([200, 400]);
  expect(shop.receive(body.replace('440', '940'), signature)).toBe(400);
  expect(shop.books().orders[0]).toMatchObject({ amount: 440 });
});

test.each([
  ['orderId', { orderId: 'order 1', amount: 440 }],
  ['amount', { orderId: 'order-1', amount: 0.5 }],
  ['description', { orderId: 'order-1', amount: 440, description: 'x'.repeat(501) }],
])('example shop: refuses a wrong %s, and sells nothing', (member, order) => {
  expect(() => shop.sell(order)).toThrow(`${member} must be`);
  expect(shop.orders()).toEqual([]);
});

test('example shop: refuses a second order while the terminal is busy, and what an order does not allow', () => {
  shop.sell({ orderId: 'order-1', amount: 440 });
  expect(() => shop.sell({ orderId: 'order-2', amount: 440 })).toThrow('the terminal is busy');
  expect(() => shop.pay('order-1')).toThrow('only an order that was not paid can be paid');
  expect(() => shop.cancel('order-3')).toThrow('there is no order order-3');
});

test('example shop: replies to bad requests with what is wrong, never with 5xx', async () => {
  const server = createServer(answerFrom(shop));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const json = { 'content-type': 'application/json' };
  const post = async (path: string, body: string, headers: Record<string, string> = json) => {
    const reply = await fetch(url + path, { method: 'POST', headers, body });
    return [reply.status, ((await reply.json()) as { message: string }).message];
  };
  const replies = [
    await post('/orders', '{"orderId":"order-1"}'),
    await post('/orders', 'null'),
    await post('/orders', '{'),
    await post('/orders', '{}', { 'content-type': 'text/plain' }),
    await post('/orders', `"${'x'.repeat(1_000_001)}"`),
    await post('/orders/order-9/refund', '{}'),
    await post('/nothing', '{}'),
  ];
  server.closeAllConnections();
  server.close();
  expect(replies).toEqual([
    [400, 'amount must be 1 to 1000000, in pence'],
    [400, 'orderId must be 1 to 40 letters, digits, _ or -'],
    [400, 'the body is no JSON'],
    [415, 'the body must be JSON'],
    [413, 'the body is too large'],
    [404, 'there is no order order-9'],
    [404, 'there is nothing at POST /nothing'],
  ]);
});
