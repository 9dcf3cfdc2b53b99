import { afterEach, beforeEach, expect, test } from 'vitest';
import { startShop, type ShopWorld } from './shop-world.ts';

let here: ShopWorld;
beforeEach(async () => {
  here = await startShop();
});
afterEach(() => here.world.close());

test('shop: a sale is paid when the card was tapped and the webhook has arrived', async () => {
  const { shop, till, world } = here;
  const sale = await shop.sell(1742);
  await till.reaches('awaitingCard');
  expect(sale.state).toBe('paying');
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.settled();
  expect(sale.state).toBe('paid');
  expect(shop.takingsMinor()).toBe(1742);
});

test('shop: a chip payment over the contactless limit requires a PIN', async () => {
  const { shop, till, world } = here;
  const sale = await shop.sell(15_000);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contact-pin', entryMode: 'Contact' });
  await till.reaches('awaitingPin');
  till.terminal.perform({ act: 'press-keys', keys: ['1', '2', '3', '4', 'enter'] });
  await world.settled();
  expect(sale.state).toBe('paid');
});

test('shop: a declined card leaves the sale unpaid, with the reason', async () => {
  const { shop, till, world } = here;
  const sale = await shop.sell(1901);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.settled();
  expect(sale).toMatchObject({ state: 'notPaid', reason: 'insufficient_funds' });
  expect(shop.takingsMinor()).toBe(0);
});

test('shop: a sale without a card times out and stays unpaid', async () => {
  const { shop, till, world } = here;
  const sale = await shop.sell(1742);
  await till.reaches('awaitingCard');
  await world.advance({ minutes: 3 });
  expect(sale).toMatchObject({ state: 'notPaid', reason: 'timeout' });
});

test('shop: a refunded sale no longer counts in the takings', async () => {
  const { shop, till, world } = here;
  const sale = await shop.sell(1742);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.settled();
  await shop.refund(sale);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.settled();
  expect(sale.state).toBe('refunded');
  expect(shop.takingsMinor()).toBe(0);
});
