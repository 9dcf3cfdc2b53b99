import { afterEach, expect, test } from 'vitest';
import type { CardTechnology } from '../../../agent/emv/card-connection.ts';
import { fakeChip } from '../../agent/readers/fake-chip.ts';
import { openReaderFixture, type ReaderFixture } from '../../kit/reader-fixture.ts';

let shop: ReaderFixture;
afterEach(() => shop.close());

const open = async (technology: CardTechnology) =>
  (shop = await openReaderFixture({ driver: 'pcsc', technology }));
const PIN = ['1', '2', '3', '4', 'enter'] as const;

test.each(['visa-contactless', 'mastercard-contactless', 'amex-contactless', 'apple-pay'])(
  'PC/SC reader: %s is tapped, and the issuer verifies its cryptogram',
  async (card) => {
    const { till } = await open('Contactless');
    const { body } = await shop.pays(1742, card);
    expect(await shop.ended()).toMatchObject({ status: 'Succeeded', error: null });
    const sessionId = body.action.transaction.paymentSessionId;
    expect(await till.session(sessionId)).toMatchObject({ status: 'Captured', amount: 1742 });
  },
);

test.each(['visa-contact-pin', 'mastercard-contact-pin', 'amex-contact-pin'])(
  "PC/SC reader: %s is inserted, its PIN entered, and it accepts the issuer's response",
  async (card) => {
    const { terminal } = await open('Contact');
    await shop.pays(1742, card);
    await shop.is('awaitingPin');
    terminal.press([...PIN]);
    expect(await shop.ended()).toMatchObject({ status: 'Succeeded', error: null });
  },
);

test('PC/SC reader: a card that stays after its payment is not charged again by the next one', async () => {
  const { till, terminal } = await open('Contactless');
  await shop.pays(1742, 'visa-contactless');
  await shop.ended();
  await till.pay(900);
  await shop.soon('it asks for a card', () =>
    terminal.agent.screen.includes('No card at the reader, present card'),
  );
  expect(await till.action()).toMatchObject({ status: 'InProgress' });
  terminal.tray.remove();
  await shop.world.advance({ seconds: 1 });
  shop.hold('mastercard-contactless');
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
});

test('PC/SC reader: a card removed during PIN entry is asked for again', async () => {
  const { terminal } = await open('Contact');
  await shop.pays(1742, 'visa-contact-pin');
  await shop.is('awaitingPin');
  terminal.tray.remove();
  await shop.is('awaitingCard');
  shop.hold('visa-contact-pin');
  await shop.is('awaitingPin');
  terminal.press([...PIN]);
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
});

test('PC/SC reader: a transit card is not read, and a payment card after it is', async () => {
  const { terminal, till } = await open('Contactless');
  await till.pay(1742);
  await shop.is('awaitingCard');
  terminal.tray.insert(fakeChip(() => Uint8Array.of(0x6a, 0x82)));
  await shop.soon('another try', () => terminal.agent.screen.includes('Card not read, try again'));
  terminal.tray.remove();
  shop.hold('visa-contactless');
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
});

test('PC/SC reader: unplugged while waiting the action fails; plugged in again the next one succeeds', async () => {
  const { terminal, till } = await open('Contactless');
  await till.pay(1742);
  await shop.is('awaitingCard');
  await terminal.unplug();
  expect(await shop.ended()).toMatchObject({
    status: 'Failed',
    error: { code: 'unexpected_error', reason: 'the reader was unplugged: plug it in again' },
  });
  terminal.plugIn();
  await shop.pays(1742, 'visa-contactless');
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
});
