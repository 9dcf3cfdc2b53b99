import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startShop, type ShopWorld } from './shop-world.ts';

let here: ShopWorld;
beforeEach(async () => {
  here = await startShop();
});
afterEach(() => here.world.close());

test('shop: a sale on a terminal without network fails', async () => {
  const { shop, till, world } = here;
  till.terminal.perform({ act: 'network', state: 'off' });
  const sale = await shop.sell(1742);
  await world.advance({ seconds: 11 });
  expect(sale).toMatchObject({ state: 'notPaid', reason: 'terminal_offline' });
});

test('shop: a terminal that loses power during a payment takes it once', async () => {
  const { shop, till, world } = here;
  const sale = await shop.sell(1742);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'power', state: 'off' });
  await world.advance({ seconds: 5 });
  till.terminal.perform({ act: 'power', state: 'on' });
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.settled();
  expect(sale.state).toBe('paid');
  expect(shop.takingsMinor()).toBe(1742);
});

test('shop: a second sale on a busy terminal is rejected with a message', async () => {
  const { shop, till } = here;
  await shop.sell(1742);
  await till.reaches('awaitingCard');
  await expect(shop.sell(500)).rejects.toThrow(/in progress/i);
});

test('shop: its own timers can be faked while a world is open', async () => {
  const { shop, till, world } = here;
  vi.useFakeTimers();
  try {
    let closed = false;
    setTimeout(() => (closed = true), 60_000);
    const sale = await shop.sell(1742);
    await till.reaches('awaitingCard');
    till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
    await world.settled();
    expect(sale.state).toBe('paid');
    expect(closed).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect(closed).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
