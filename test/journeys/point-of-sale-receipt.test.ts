import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTill, type Till } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

let world: World;
let till: Till;
let sessionId: string;

/** A payment whose receipts the point of sale prints, approved, its merchant copy awaited. */
beforeEach(async () => {
  world = await startWorld();
  till = openTill(world, await world.addTerminal());
});
afterEach(() => world.close());

async function approved(): Promise<void> {
  const session = await till.takes(1742, { receipts: 'PointOfSale' });
  sessionId = session.id;
  expect(session.status).toBe('Approved');
}

const copies = async () => {
  const { status, error, transaction } = await till.action();
  const { merchantCopy, customerCopy } = transaction.receiptDetail;
  return [status, error?.code ?? null, merchantCopy.status, customerCopy.status];
};

test(
  'confirm-receipt: merchant copy, customer copy, capture, with events in that order',
  { tags: ['spec:4.12/POST/in-person/terminals/{id}/confirm-receipt', 'spec:4.12/point-of-sale-receipts'] },
  async () => {
    const shop = await world.listen('shop', [
      'Terminal.action_updated',
      'PaymentSession.approved',
      'PaymentSession.captured',
    ]);
    await approved();
    expect(await copies()).toEqual(['InProgress', null, 'Required', 'NotRequired']);
    await till.confirm({ merchantCopy: { status: 'Succeeded' } });
    expect(await copies()).toEqual(['InProgress', null, 'Succeeded', 'Required']);
    const { body } = await till.confirm({ customerCopy: { status: 'Succeeded' } });
    expect(body.action.status).toBe('Succeeded');
    expect(await copies()).toEqual(['Succeeded', null, 'Succeeded', 'Succeeded']);
    expect(await till.session(sessionId)).toMatchObject({ status: 'Captured' });
    await world.settled();
    expect(shop.types()).toEqual([
      'Terminal.action_updated',
      'Terminal.action_updated',
      'PaymentSession.approved',
      'Terminal.action_updated',
      'Terminal.action_updated',
      'PaymentSession.captured',
    ]);
    expect(till.terminal.printed).toEqual([]);
  },
);

test('confirm-receipt: confirms both copies in one call', async () => {
  await approved();
  await till.confirm({ merchantCopy: { status: 'Succeeded' }, customerCopy: { status: 'Succeeded' } });
  expect(await till.session(sessionId)).toMatchObject({ status: 'Captured' });
});

test.each([
  ['the merchant copy', []],
  ['the customer copy', [{ merchantCopy: { status: 'Succeeded' } }]],
])('confirm-receipt: %s left unconfirmed voids the payment after a minute', async (_, confirmations) => {
  const shop = await world.listen('shop', ['PaymentSession.voided']);
  await approved();
  for (const confirmation of confirmations) await till.confirm(confirmation);
  await world.advance({ seconds: 59 });
  expect((await copies())[0]).toBe('InProgress');
  await world.advance({ seconds: 2 });
  expect((await copies()).slice(0, 2)).toEqual(['Failed', 'receipt_not_confirmed']);
  expect(await till.session(sessionId)).toMatchObject({ status: 'Voided' });
  expect(await till.movements(sessionId)).toEqual(['Authorization', 'Void']);
  expect(shop.types()).toEqual(['PaymentSession.voided']);
});

test('confirm-receipt: a copy that could not be printed voids the payment at once', async () => {
  await approved();
  await till.confirm({ merchantCopy: { status: 'Failed' } });
  expect(await copies()).toEqual(['Failed', 'receipt_failed', 'Failed', 'NotRequired']);
  expect(await till.session(sessionId)).toMatchObject({ status: 'Voided' });
});

test('confirm-receipt: refused out of order', async () => {
  await approved();
  expect((await till.confirm({ customerCopy: { status: 'Succeeded' } })).status).toBe(400);
  expect((await till.confirm({})).body.errors[0].code).toBe('invalid_field');
  expect((await till.confirm({ merchantCopy: { status: 'Printed' } })).body.errors[0].message).toContain(
    'merchantCopy.status',
  );
  await till.confirm({ merchantCopy: { status: 'Succeeded' } });
  expect((await till.confirm({ merchantCopy: { status: 'Succeeded' } })).status).toBe(400);
  await till.confirm({ customerCopy: { status: 'Succeeded' } });
  expect((await till.confirm({ customerCopy: { status: 'Succeeded' } })).body.errors[0].code).toBe(
    'bad_request',
  );
});
