import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTill, type Till } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

let world: World;
let till: Till;
beforeEach(async () => {
  world = await startWorld();
  till = openTill(world, await world.addTerminal());
});
afterEach(() => world.close());

async function tapRefund(at: Till): Promise<void> {
  await at.reaches('awaitingCard');
  at.terminal.perform({ act: 'present-card', card: 'mastercard-contactless' });
  await world.settled();
}

test(
  'terminal refund: refunds part of a payment, then the rest, and no more',
  { tags: ['spec:4.12/POST/in-person/terminals/{id}/refund', 'spec:4.12/whole-refund'] },
  async () => {
    const shop = await world.listen('shop', ['Terminal.action_updated', 'PaymentSession.refunded']);
    const { id } = await till.takes(1000);
    shop.deliveries.length = 0;

    expect((await till.refund(id, { amount: 400 })).body.action.transaction.type).toBe('Refund');
    await tapRefund(till);
    expect(await till.session(id)).toMatchObject({ status: 'Captured', refundedAmount: 400 });
    expect(shop.types()).toEqual([
      'Terminal.action_updated',
      'PaymentSession.refunded',
      'Terminal.action_updated',
    ]);

    const tooMuch = await till.refund(id, { amount: 601 });
    expect(tooMuch).toMatchObject({ status: 400, body: { errors: [{ code: 'invalid_field' }] } });
    expect((await till.refund(id, { amount: 0 })).status).toBe(400);

    await till.refund(id);
    await tapRefund(till);
    expect(await till.session(id)).toMatchObject({ refundedAmount: 1000 });
    expect(await till.movements(id)).toEqual(['Authorization', 'Capture', 'Refund', 'Refund']);
    expect(await till.refund(id)).toMatchObject({ status: 400, body: { errors: [{ code: 'bad_request' }] } });
  },
);

test('terminal refund: of two concurrent refunds of one payment the second is refused', async () => {
  const { id } = await till.takes(1000);
  const other = openTill(world, await world.addTerminal());
  const [first, second] = await Promise.all([
    till.refund(id, { amount: 500 }),
    other.refund(id, { amount: 500 }),
  ]);
  expect([first.status, second.status].toSorted()).toEqual([200, 400]);
});

test(
  'terminal refund: returns the platform fee in proportion',
  { tags: ['spec:4.12/platform-fee-refund'] },
  async () => {
    const branch = openTill(
      world,
      await world.addTerminal({ accountId: world.subAccountId }),
      world.subAccountId,
    );
    const { id } = await branch.takes(1000, { paymentSession: { platformFee: 99 } });
    await branch.refund(id, { amount: 500, refundPlatformFee: true });
    await tapRefund(branch);
    const { body } = await world.api
      .as(world.subAccountId)
      .get(`/v1/payment-sessions/${id}/transactions?ascending=true`);
    expect(body.items[1]).toMatchObject({
      type: 'Capture',
      refundedAmount: 500,
      platformFee: 99,
      platformFeeRefundedAmount: 50,
    });
  },
);

test('terminal refund: refused for payments that cannot be refunded', async () => {
  expect((await till.refund('ps_01J9Z5W7D2M8Q4K6R1T3V5X7Y9')).status).toBe(404);
  const declined = await till.takes(1901);
  expect((await till.refund(declined.id)).body.errors[0].code).toBe('bad_request');
  const paid = await till.takes(1000);
  expect((await till.refund(paid.id, { refundPlatformFee: true })).status).toBe(400);
});

test('terminal refund: a declined refund moves no money', async () => {
  const shop = await world.listen('shop', ['PaymentSession.refund_failed']);
  const { id } = await till.takes(5000);
  await till.refund(id, { amount: 1905 });
  await tapRefund(till);
  expect(await till.action()).toMatchObject({ status: 'Failed', error: { code: 'suspected_fraud' } });
  expect(await till.session(id)).toMatchObject({ refundedAmount: 0 });
  expect(shop.types()).toEqual(['PaymentSession.refund_failed']);
});

test('terminal refund: a refund whose copy is never confirmed stays refunded, with a failed copy', async () => {
  const { id } = await till.takes(1000);
  await till.refund(id, { receipts: 'PointOfSale' });
  await tapRefund(till);
  expect(await till.session(id)).toMatchObject({ refundedAmount: 1000 });
  await world.advance({ seconds: 61 });
  expect(await till.action()).toMatchObject({
    status: 'Succeeded',
    transaction: { receiptDetail: { merchantCopy: { status: 'Failed' } } },
  });
});
