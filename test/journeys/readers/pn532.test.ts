import { afterEach, expect, test } from 'vitest';
import { openReaderFixture, type ReaderFixture } from '../../kit/reader-fixture.ts';

let shop: ReaderFixture;
afterEach(() => shop.close());

const open = async () => (shop = await openReaderFixture({ driver: 'pn532' }));

test.each(['visa-contactless', 'mastercard-contactless', 'amex-contactless', 'apple-pay'])(
  'PN532 reader: %s is tapped, and the issuer verifies its cryptogram',
  async (card) => {
    const { till, terminal } = await open();
    const { body } = await shop.pays(1742, card);
    expect(await shop.ended()).toMatchObject({ status: 'Succeeded', error: null });
    const sessionId = body.action.transaction.paymentSessionId;
    expect(await till.session(sessionId)).toMatchObject({ status: 'Captured', amount: 1742 });
    expect(terminal.printed.map(({ copy }) => copy)).toEqual(['merchantCopy', 'customerCopy']);
  },
);

test.each([
  ['visa-wrong-cryptogram', 'suspected_fraud'],
  ['visa-expired', 'expired_card'],
  ['mastercard-offline-declines', 'card_declined'],
])('PN532 reader: %s is declined, %s', async (card, code) => {
  const { till } = await open();
  const { body } = await shop.pays(1742, card);
  expect(await shop.ended()).toMatchObject({ status: 'Failed', error: { code } });
  const sessionId = body.action.transaction.paymentSessionId;
  expect(await till.session(sessionId)).toMatchObject({ status: 'PendingPayment' });
});

test('PN532 reader: a card over the limit asks for its PIN, which only the issuer can check', async () => {
  const { terminal } = await open();
  await shop.pays(15_000, 'visa-contactless');
  await shop.is('awaitingPin');
  terminal.press(['9', '9', '9', '9', 'enter']);
  expect(await shop.ended()).toMatchObject({ status: 'Failed', error: { code: 'security_violation' } });

  terminal.tray.remove();
  await shop.pays(15_000, 'visa-contactless');
  await shop.is('awaitingPin');
  terminal.press(['1', '2', '3', '4', 'enter']);
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
});

test('PN532 reader: a card removed too early is asked for again', async () => {
  const { terminal } = await open();
  await shop.pays(1742, 'visa-torn');
  await shop.soon('another try', () => terminal.agent.screen.includes('Card not read, try again'));
  shop.hold('visa-contactless');
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
});

test('PN532 reader: unplugged while waiting the action fails; plugged in again the next one succeeds', async () => {
  const { terminal, till, world } = await open();
  await till.pay(1742);
  await shop.is('awaitingCard');
  await terminal.unplug();
  expect(await shop.ended()).toMatchObject({
    status: 'Failed',
    error: { code: 'unexpected_error', reason: 'pipe: the other end hung up' },
  });

  terminal.plugIn();
  await world.advance({ seconds: 10 });
  await shop.pays(1742, 'visa-contactless');
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
});

test('PN532 reader: cancelled while waiting for a card, it takes the next payment', async () => {
  const { till } = await open();
  await till.pay(1742);
  await shop.is('awaitingCard');
  await till.cancel();
  expect(await shop.ended()).toMatchObject({ status: 'Cancelled' });
  await shop.pays(900, 'mastercard-contactless');
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
});

test('PN532 reader: a refund goes to the card that is tapped again', async () => {
  const { till, terminal } = await open();
  const { body } = await shop.pays(1742, 'visa-contactless');
  const sessionId = body.action.transaction.paymentSessionId;
  await shop.ended();
  terminal.tray.remove();
  await till.refund(sessionId, { amount: 742 });
  await shop.is('awaitingCard');
  shop.hold('visa-contactless');
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
  expect(await till.session(sessionId)).toMatchObject({ refundedAmount: 742 });
});
