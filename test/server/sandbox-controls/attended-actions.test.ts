import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTill, type Till } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';

const PAYMENT = { amounts: { requested: 1742 }, currency: 'GBP' };

let world: World;
let till: Till;
let path: string;
beforeEach(async () => {
  // The cardholder of the terminal taps another card at once.
  world = await startWorld({ cardholder: { script: 'tap', delayMs: 0 } });
  till = openTill(world, await world.addTerminal());
  path = `/sandbox/terminals/${till.terminal.terminalId}`;
});
afterEach(() => world.close());

async function ended(): Promise<{ status: string; last4: string }> {
  await world.advance({ seconds: 10 });
  const { status, transaction } = await till.action();
  const { paymentMethod } = await till.session(transaction.paymentSessionId);
  return { status, last4: paymentMethod?.card.last4 };
}

test('POST /sandbox/terminals/{id}/payment: the cardholder pays with the card of the payment, and with their own the next time', async () => {
  const cardholder = { card: 'mastercard-contact-pin', delayMs: 300 };
  const { status, body } = await world.api.post(`${path}/payment`, { ...PAYMENT, cardholder });
  expect([status, body.action.status]).toEqual([200, 'InProgress']);
  expect(await ended()).toEqual({ status: 'Succeeded', last4: '4444' });
  await till.pay(1742);
  expect(await ended()).toEqual({ status: 'Succeeded', last4: '0085' });
});

test('POST /sandbox/terminals/{id}/payment: a script and a PIN hold for the payment alone', async () => {
  const cardholder = { script: 'contact-pin', pin: '9999' };
  await world.api.post(`${path}/payment`, { ...PAYMENT, cardholder });
  expect((await ended()).status).toBe('Failed');
  await world.api.post(`${path}/payment`, { ...PAYMENT, cardholder: { script: 'walk-away' } });
  expect((await ended()).status).toBe('InProgress');
  await till.cancel();
  await till.pay(1742);
  expect(await ended()).toEqual({ status: 'Succeeded', last4: '0085' });
});

test('POST /sandbox/terminals/{id}/payment: without a cardholder it is the payment of the API', async () => {
  expect((await world.api.post(`${path}/payment`, PAYMENT)).status).toBe(200);
  expect(await ended()).toEqual({ status: 'Succeeded', last4: '0085' });
});

test('POST /sandbox/terminals/{id}/payment: a busy terminal refuses it, and the card of the payment in progress stays', async () => {
  const cardholder = { card: 'mastercard-contact-pin', delayMs: 2000 };
  await world.api.post(`${path}/payment`, { ...PAYMENT, cardholder });
  const other = { ...PAYMENT, cardholder: { card: 'amex-contactless', delayMs: 0 } };
  expect((await world.api.post(`${path}/payment`, other)).status).toBe(409);
  expect(await ended()).toEqual({ status: 'Succeeded', last4: '4444' });
});

test.each([
  [{ card: 'vsa' }, "there is no card 'vsa'"],
  [
    { card: 'mastercard-contactless', entryMode: 'Swipe' },
    'the card must have Swipe; mastercard-contactless has: Contactless',
  ],
])(
  'POST /sandbox/terminals/{id}/payment: with the cardholder %j nothing begins',
  async (cardholder, problem) => {
    const { status, body } = await world.api.post(`${path}/payment`, { ...PAYMENT, cardholder });
    expect([status, body.errors[0].message]).toEqual([400, expect.stringContaining(problem)]);
    expect(await till.action()).toBeNull();
  },
);

test('POST /sandbox/terminals/{id}/refund: is done once for an idempotency key, with the card of the refund', async () => {
  await till.pay(1742);
  await world.advance({ seconds: 10 });
  const { transaction } = await till.action();
  const body = JSON.stringify({
    paymentSession: { id: transaction.paymentSessionId },
    amount: 500,
    cardholder: { card: 'visa-contactless' },
  });
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'refund-1' };
  const send = () => world.api.raw('POST', `${path}/refund`, body, headers);
  const first = await send();
  expect(first.status).toBe(200);
  await world.advance({ seconds: 10 });
  expect((await send()).body).toEqual(first.body);
  await world.advance({ seconds: 10 });
  expect(await till.session(transaction.paymentSessionId)).toMatchObject({ refundedAmount: 500 });
});

test('POST /sandbox/terminals/{id}/payment: a fork goes on with the card of the payment', async () => {
  const cardholder = { card: 'mastercard-contact-pin', delayMs: 2000 };
  await world.api.post(`${path}/payment`, { ...PAYMENT, cardholder });
  await till.reaches('awaitingCard');
  const fork = await world.fork();
  try {
    const there = openTill(fork, fork.fleet.terminal(till.terminal.terminalId)!);
    await fork.advance({ seconds: 10 });
    const { transaction } = await there.action();
    expect(await there.session(transaction.paymentSessionId)).toMatchObject({
      status: 'Captured',
      paymentMethod: { card: { last4: '4444' } },
    });
  } finally {
    await fork.close();
  }
});
