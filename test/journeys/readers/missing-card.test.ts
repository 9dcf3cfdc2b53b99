import { afterEach, expect, test } from 'vitest';
import { openReaderFixture, type ReaderFixture } from '../../kit/reader-fixture.ts';

const NOTICE = 'No card at the reader, present card';

let shop: ReaderFixture;
afterEach(() => shop.close());

test.each([
  ['pn532', 'visa-contactless', undefined],
  ['ccid', 'visa-blocked-pin', 'visa-contactless'],
  ['vivotech', 'visa-contactless', undefined],
])(
  '%s reader: without a card that it can read the screen says so, and the payment continues with one',
  async (driver, card, unreadable) => {
    shop = await openReaderFixture({ driver });
    const { till, terminal } = shop;
    if (unreadable) shop.hold(unreadable);
    await till.pay(1742);
    await shop.is('awaitingCard');
    expect(terminal.agent.screen).toEqual(['17.42 GBP', 'Present card']);

    await shop.soon('the notice', () => terminal.agent.screen.includes(NOTICE), 15_000);
    expect(await till.action()).toMatchObject({ status: 'InProgress' });

    shop.hold(card);
    await shop.soon('the card', () => !terminal.agent.screen.includes(NOTICE));
    expect(terminal.status.state).not.toBe('awaitingCard');
  },
);

test('reader: no missing-card message for a card presented in time', async () => {
  shop = await openReaderFixture({ driver: 'ccid' });
  const seen: string[] = [];
  await shop.pays(1742, 'visa-blocked-pin');
  await shop.soon('the card', () => {
    seen.push(shop.terminal.agent.screen.join(' | '));
    return shop.terminal.status.actionId === undefined || undefined;
  });
  expect(seen.join()).not.toContain('No card');
});
