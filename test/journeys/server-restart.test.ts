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

/** The server goes away, and terminals have found the new one after a while. */
async function restart(): Promise<void> {
  await world.restartServer();
  await world.advance({ seconds: 5 });
  await world.until('the terminal is back', () => till.terminal.online);
}

test('server restart: a payment that waits for its card continues', async () => {
  const { body } = await till.pay(1000);
  await till.reaches('awaitingCard');
  await restart();
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.settled();
  const sessionId = body.action.transaction.paymentSessionId;
  expect(await till.session(sessionId)).toMatchObject({ status: 'Captured' });
  expect(await till.movements(sessionId)).toEqual(['Authorization', 'Capture']);
});

test('server restart: a terminal has the full time to accept an action again', async () => {
  await world.fleet.remove(till.terminal.terminalId);
  await till.pay(1000);
  await world.advance({ seconds: 9 });
  await world.restartServer();
  await world.advance({ seconds: 9 });
  expect((await till.action()).status).toBe('InProgress');
  await world.advance({ seconds: 1 });
  expect(await till.action()).toMatchObject({ status: 'Failed', error: { code: 'terminal_offline' } });
});

test('server restart: a receipt is confirmed, or its deadline passes', async () => {
  const first = await till.takes(1000, { receipts: 'PointOfSale' });
  await restart();
  await till.confirm({ merchantCopy: { status: 'Succeeded' }, customerCopy: { status: 'Succeeded' } });
  expect(await till.session(first.id)).toMatchObject({ status: 'Captured' });
  const second = await till.takes(1000, { receipts: 'PointOfSale' });
  await restart();
  await world.advance({ seconds: 60 });
  expect(await till.session(second.id)).toMatchObject({ status: 'Voided' });
});

test('server restart: a webhook that could not be delivered is delivered', async () => {
  const shop = await world.listen('shop', ['PaymentSession.captured']);
  shop.behaviour = 500;
  await till.takes(1000);
  expect(shop.deliveries).toHaveLength(2);
  await restart();
  shop.behaviour = 200;
  await world.advance({ minutes: 1 });
  expect(shop.deliveries).toHaveLength(3);
  expect(new Set(shop.deliveries.map(({ body }) => body)).size).toBe(1);
  await world.advance({ minutes: 60 });
  expect(shop.deliveries).toHaveLength(3);
});
