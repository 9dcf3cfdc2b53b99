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

/** Cuts the server's own connection to the broker; it is back within a second, when time moves on. */
function cutServer(): void {
  world.server.broker!.disconnect('server');
}

/** As when a broker restarts, and the terminals are back before the server is. */
async function brokerRestarts(): Promise<void> {
  const { gateway } = world.server.services;
  cutServer();
  till.terminal.perform({ act: 'network', state: 'off' });
  await world.until(
    'the server and the terminal are cut off',
    () => !gateway.online && !till.terminal.online,
  );
  till.terminal.perform({ act: 'network', state: 'on' });
  await world.until('the terminal is back', () => till.terminal.online);
  expect(gateway.online).toBe(false);
}

/** Has the server cut at the moment at which the terminal takes a fact: what it says then is not heard. */
function cutServerAt(event: string): void {
  let done = false;
  world.watchSteps((step) => {
    if (step.event !== event || done) return;
    done = true;
    cutServer();
  });
}

const stored = (actionId: string) =>
  world.server.services.store.get<{ phase: string; receipt: string | null }>(
    'SELECT phase, receipt FROM actions WHERE id = ?',
    actionId,
  );

test('server offline: an authorisation requested meanwhile is requested again, and the payment succeeds', async () => {
  const { body } = await till.pay(1000);
  await till.reaches('awaitingCard');
  await brokerRestarts();
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await till.reaches('authorising');
  await world.settled();
  await world.advance({ seconds: 1 });
  const sessionId = body.action.transaction.paymentSessionId;
  expect(await till.session(sessionId)).toMatchObject({ status: 'Captured' });
  expect(await till.movements(sessionId)).toEqual(['Authorization', 'Capture']);
});

test('broker restart: a terminal that repeats its request before the server reconnects gets the answer', async () => {
  const { body } = await till.pay(1000);
  await till.reaches('awaitingCard');
  cutServerAt('card.read');
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await till.reaches('authorising');
  await brokerRestarts();
  await world.advance({ seconds: 1 });
  const sessionId = body.action.transaction.paymentSessionId;
  expect(await till.movements(sessionId)).toEqual(['Authorization', 'Capture']);
});

test('server offline: an acceptance that was missed is asked for, so the terminal does not count as offline', async () => {
  cutServerAt('action.started');
  const { body } = await till.pay(1000);
  await till.reaches('awaitingCard');
  await world.advance({ seconds: 1 });
  expect(await stored(body.action.id)).toMatchObject({ phase: 'awaitingCard' });
  await world.advance({ seconds: 20 });
  expect(await till.action()).toMatchObject({ status: 'InProgress' });
});

test('server offline: a receipt that was missed is asked for', async () => {
  cutServerAt('issuer.approved');
  const { body } = await till.pay(1000, { receipts: 'PointOfSale' });
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await till.reaches('awaitingMerchantReceipt');
  await world.settled();
  expect(await stored(body.action.id)).toMatchObject({ receipt: null });
  await world.advance({ seconds: 1 });
  expect((await stored(body.action.id))!.receipt).toContain('merchantCopy');
});
