import { describe, expect, test } from 'vitest';
import { PAYMENT, shopServer } from '../shop-server.ts';

describe('terminal payment, refund: two concurrent starts', () => {
  test('on one terminal: the second is busy', async () => {
    const shop = await shopServer();
    const id = await shop.terminal();
    const pay = () => shop.at(id, 'payment', PAYMENT);
    expect(await shop.race(pay, pay)).toEqual([200, 409]);
    expect(await shop.services.store.all('SELECT id FROM payment_sessions')).toHaveLength(1);
    expect(shop.sentTo(id)).toEqual(['action.start']);
  });

  test('of one refund on two terminals: the second is in flight', async () => {
    const shop = await shopServer();
    const [one, other] = [await shop.terminal(), await shop.terminal()];
    const { sessionId } = await shop.captured(one);
    const refund = (id: string) => () => shop.at(id, 'refund', { paymentSession: { id: sessionId } });
    expect(await shop.race(refund(one), refund(other))).toEqual([200, 400]);
  });

  test('a conflict found by a unique index is refused with its reason', async () => {
    const shop = await shopServer();
    const [one, other] = [await shop.terminal(), await shop.terminal()];
    const { sessionId } = await shop.captured(one);
    const refund = (id: string) => shop.at(id, 'refund', { paymentSession: { id: sessionId } });
    shop.conflict(() => refund(other));
    const second = await refund(one);
    expect([second.status, second.body.errors[0].message]).toEqual([
      400,
      'another refund of this payment is in progress: wait for it to end',
    ]);
    const pay = () => shop.at(one, 'payment', PAYMENT);
    shop.conflict(pay);
    expect((await pay()).status).toBe(409);
  });
});
