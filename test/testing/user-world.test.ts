import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CARDS, startWorld, type UserWorld } from '../kit/user-world.ts';

let world: UserWorld;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const json = { 'content-type': 'application/json' };

test('"user world: a shop\'s own code calls the API by fetch, and its webhook handler replies"', async () => {
  const till = await world.openTill();
  const orders: string[] = [];
  const hook = await world.listen('shop', ['PaymentSession.captured']);
  hook.behaviour = async ({ event }) => {
    orders.push(event.data.id as string);
    return 204;
  };

  const answer = await world.fetch(
    `${world.url}/v1/in-person/terminals/${till.terminal.terminalId}/payment`,
    {
      method: 'POST',
      headers: { ...json, authorization: world.secretKey },
      body: JSON.stringify({ amounts: { requested: 1742 }, currency: 'GBP' }),
    },
  );
  expect(answer.status).toBe(200);
  const { action } = (await answer.json()) as { action: { transaction: { paymentSessionId: string } } };
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: CARDS[0]! });
  await world.settled();
  expect(orders).toEqual([action.transaction.paymentSessionId]);
  expect(hook.signedWith(hook.secret)).toBe(true);
});

test('user world: fetch sends the headers of the caller only, so without a key there is none', async () => {
  const answer = await world.fetch(`${world.url}/v1/payment-sessions`);
  expect(answer.status).toBe(401);
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(await answer.json()).toMatchObject({ code: '401' });
});

test('user world: fetch reaches only the world', async () => {
  await expect(world.fetch('https://example.com/')).rejects.toThrow('only http://tapbench.test');
});

test('user world: a failed webhook delivery is retried when it is due', async () => {
  const till = await world.openTill();
  const hook = await world.listen('shop', ['PaymentSession.captured']);
  hook.behaviour = () => 503;
  await till.takes(1742);
  await world.advance({ minutes: 2 });
  expect(hook.deliveries).toHaveLength(3);
  hook.behaviour = 200;
  await world.advance({ minutes: 10 });
  expect(hook.deliveries).toHaveLength(4);
});

test.each(['before', 'after'] as const)(
  'user world: fake timers that %s a world starts do not delay it',
  async (when) => {
    if (when === 'before') vi.useFakeTimers();
    const faked = await startWorld();
    if (when === 'after') vi.useFakeTimers();
    try {
      const till = await faked.openTill();
      expect(await till.takes(1742)).toMatchObject({ status: 'Captured' });
    } finally {
      vi.useRealTimers();
    }
    await faked.close();
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setTimeout(resolve));
  },
);

test('user world: magic amounts decline where they are enabled', async () => {
  const plain = await startWorld({ magicAmounts: 'off' });
  const till = await plain.openTill();
  expect(await till.takes(1901)).toMatchObject({ status: 'Captured' });
  await plain.close();
  expect(await (await world.openTill()).takes(1901)).toMatchObject({ status: 'PendingPayment' });
});
