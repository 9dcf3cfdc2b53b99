import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTill, type Till } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

let world: World;
let till: Till;
beforeEach(async () => {
  world = await startWorld();
  till = openTill(world, await world.addTerminal());
});
afterEach(() => world.close());

const tap = () => till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });

/** How far a payment has come when it is cancelled, and what then became of its money. */
const MOMENTS: [string, () => Promise<string>, string, string[]][] = [
  [
    'before the terminal received it',
    async () => (await till.pay(1000)).body.action.transaction.paymentSessionId,
    'PendingPayment',
    [],
  ],
  [
    'while awaiting the card',
    async () => {
      const { body } = await till.pay(1000);
      await till.reaches('awaitingCard');
      return body.action.transaction.paymentSessionId;
    },
    'PendingPayment',
    [],
  ],
  [
    'while awaiting the PIN',
    async () => {
      const { body } = await till.pay(1000);
      await till.reaches('awaitingCard');
      till.terminal.perform({ act: 'present-card', card: 'visa-contact-pin' });
      await till.reaches('awaitingPin');
      return body.action.transaction.paymentSessionId;
    },
    'PendingPayment',
    [],
  ],
  [
    'while awaiting the merchant copy',
    async () => (await till.takes(1000, { receipts: 'PointOfSale' })).id,
    'Voided',
    ['Authorization', 'Void'],
  ],
  [
    'while awaiting the customer copy',
    async () => {
      const { id } = await till.takes(1000, { receipts: 'PointOfSale' });
      await till.confirm({ merchantCopy: { status: 'Succeeded' } });
      return id;
    },
    'Voided',
    ['Authorization', 'Void'],
  ],
];

describe.each(MOMENTS)('cancel-action: %s', (_, arrive, status, movements) => {
  test(
    'ends the action at once and lets a new one start',
    { tags: ['spec:4.12/POST/in-person/terminals/{id}/cancel-action', 'spec:3/cancel-action'] },
    async () => {
      const sessionId = await arrive();
      expect((await till.cancel()).body.action).toMatchObject({ status: 'Cancelled', error: null });
      expect(await till.takes(2000)).toMatchObject({ status: 'Captured' });
      expect(await till.session(sessionId)).toMatchObject({ status });
      expect(await till.movements(sessionId)).toEqual(movements);
    },
  );

  test("ends the action even when the terminal's network is down", async () => {
    const sessionId = await arrive();
    till.terminal.perform({ act: 'network', state: 'off' });
    expect((await till.cancel()).body.action.status).toBe('Cancelled');
    const second = await till.pay(2000);
    expect(second.body.action.status).toBe('InProgress');
    till.terminal.perform({ act: 'network', state: 'on' });
    const { id } = second.body.action;
    await world.until('the terminal begins the second', () => till.terminal.status.actionId === id);
    tap();
    await world.settled();
    expect(await till.session(second.body.action.transaction.paymentSessionId)).toMatchObject({
      status: 'Captured',
    });
    expect(await till.movements(sessionId)).toEqual(movements);
  });
});

test('cancel-action: an authorisation that arrives later changes nothing', async () => {
  const { body } = await till.pay(1000);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'network', state: 'off' });
  tap();
  await till.reaches('authorising');
  await till.cancel();
  till.terminal.perform({ act: 'network', state: 'on' });
  await world.settled();
  const sessionId = body.action.transaction.paymentSessionId;
  expect(await till.session(sessionId)).toMatchObject({ status: 'PendingPayment' });
  expect(await till.movements(sessionId)).toEqual([]);
  expect(await till.action()).toMatchObject({ status: 'Cancelled' });
});

test('cancel-action: while authorising, the decision in transit changes nothing', async () => {
  const { body } = await till.pay(1000);
  await till.reaches('awaitingCard');
  tap();
  const cancelled = await till.cancel();
  await world.settled();
  const session = await till.session(body.action.transaction.paymentSessionId);
  const action = await till.action();
  // Whichever came first, the money is where the action says it is. Over a network the whole payment may have.
  expect([cancelled.status, action.status, session.status].join(' ')).toMatch(
    /^(200 Cancelled (PendingPayment|Voided)|[24]00 Succeeded Captured)$/,
  );
  expect(await till.takes(2000)).toMatchObject({ status: 'Captured' });
});

test('cancel-action: refused when no action is in progress', async () => {
  expect(await till.cancel()).toMatchObject({ status: 400, body: { errors: [{ code: 'bad_request' }] } });
});

test('cancel-action: refused for a refund that has moved its money; it succeeds and its copy fails', async () => {
  const { id } = await till.takes(1000);
  await till.refund(id, { receipts: 'PointOfSale' });
  await till.reaches('awaitingCard');
  tap();
  await world.settled();
  expect((await till.cancel()).body.action).toMatchObject({ status: 'Succeeded' });
  expect(await till.session(id)).toMatchObject({ refundedAmount: 1000 });
});
