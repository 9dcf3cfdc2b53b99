import { afterEach, expect, test } from 'vitest';
import { openReaderFixture, type ReaderFixture } from '../../kit/reader-fixture.ts';

let shop: ReaderFixture;
afterEach(() => shop.close());

const open = async () => (shop = await openReaderFixture({ driver: 'vivotech' }));

test.each(['visa-contactless', 'mastercard-contactless', 'amex-contactless', 'google-pay'])(
  'ViVOtech reader: %s is tapped, the reader runs its kernel, and the issuer approves',
  async (card) => {
    const { till } = await open();
    const { body } = await shop.pays(1742, card);
    expect(await shop.ended()).toMatchObject({ status: 'Succeeded', error: null });
    const sessionId = body.action.transaction.paymentSessionId;
    expect(await till.session(sessionId)).toMatchObject({ status: 'Captured', amount: 1742 });
  },
);

test('ViVOtech reader: a cancelled payment stops the reader, which then takes the next one', async () => {
  const { till } = await open();
  await till.pay(1742);
  await shop.is('awaitingCard');
  await till.cancel();
  expect(await shop.ended()).toMatchObject({ status: 'Cancelled' });
  await shop.pays(900, 'mastercard-contactless');
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
});

test('ViVOtech reader: a wrong cryptogram is declined', async () => {
  await open();
  await shop.pays(1742, 'visa-wrong-cryptogram');
  expect(await shop.ended()).toMatchObject({ status: 'Failed', error: { code: 'suspected_fraud' } });
});

test('ViVOtech reader: a card that declines offline is declined, not reported as unreadable', async () => {
  await open();
  await shop.pays(1742, 'mastercard-offline-declines');
  expect(await shop.ended()).toMatchObject({ status: 'Failed', error: { code: 'card_declined' } });
});

test('ViVOtech reader: unplugged while waiting the action fails; plugged in again the next one succeeds', async () => {
  const { terminal, till, world } = await open();
  await till.pay(1742);
  await shop.is('awaitingCard');
  await terminal.unplug();
  expect(await shop.ended(200_000)).toMatchObject({
    status: 'Failed',
    error: { code: 'unexpected_error', reason: 'pipe: the other end hung up' },
  });
  terminal.plugIn();
  await world.advance({ seconds: 10 });
  await shop.pays(1742, 'visa-contactless');
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
});
