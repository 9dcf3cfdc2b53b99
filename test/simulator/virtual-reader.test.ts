import { expect, test } from 'vitest';
import { CARD_NAMES } from '../../simulator/cards/card-registry.ts';
import { keys, PAYMENT, readerFixture } from './reader-fixture.ts';

test('virtual reader: a tapped card is presented at once and read after the latency', async () => {
  const { clock, reader, facts, start } = readerFixture();
  start();

  expect(reader.presentCard('visa-contactless')).toEqual({ ok: true });
  await clock.advance(99);
  expect(facts).toEqual([{ type: 'card.presented', entryMode: 'Contactless' }]);

  await clock.advance(1);
  expect(facts[1]).toMatchObject({
    type: 'card.read',
    pin: 'none',
    card: { last4: '0085', entryMode: 'Contactless' },
  });
  expect(reader.removeCard(), 'a tapped card is in its holder’s hand again').toMatchObject({ ok: false });
});

test('virtual reader: without latency a card is read without waiting for the clock', async () => {
  const { clock, reader, story, start } = readerFixture({ readLatencyMs: 0 });
  start();
  reader.presentCard('apple-pay');
  expect(story(), 'no fact comes from inside a call').toEqual([]);

  await clock.advance(0);
  expect(story()).toEqual(['card.presented', 'card.read']);
});

test.each([
  // card, entry mode, what is asked, amount, currency, demand
  ['visa-contactless', undefined, 'Payment', 10_000, 'GBP', 'none'],
  ['visa-contactless', undefined, 'Payment', 10_001, 'GBP', 'pin'],
  ['visa-contactless', undefined, 'Refund', 10_001, 'GBP', 'none'],
  ['visa-contactless', undefined, 'Payment', 5_001, 'EUR', 'pin'],
  ['visa-contactless', undefined, 'Payment', 5_000, 'EUR', 'none'],
  ['amex-contactless', undefined, 'Payment', 90_000, 'GBP', 'none'],
  ['visa-contact-pin', undefined, 'Payment', 100, 'GBP', 'pin'],
  ['visa-contact-pin', 'Contactless', 'Payment', 100, 'GBP', 'none'],
  ['mastercard-contact-pin', 'Contact', 'Refund', 100, 'GBP', 'none'],
  ['visa-swipe', undefined, 'Payment', 90_000, 'GBP', 'none'],
  ['apple-pay', undefined, 'Payment', 90_000, 'GBP', 'onDevice'],
  ['google-pay', undefined, 'Refund', 100, 'GBP', 'onDevice'],
] as const)(
  'virtual reader: %s by %s for a %s of %i %s has the PIN demand %s',
  async (card, entryMode, type, amountMinor, currency, pin) => {
    const { clock, reader, facts, start } = readerFixture({ contactlessLimitsMinor: { EUR: 5_000 } });
    start({ type, amountMinor, currency });
    reader.presentCard(card, entryMode);
    await clock.advance(100);

    expect(facts.at(-1)).toMatchObject({ type: 'card.read', pin });
  },
);

test('virtual reader: accepts the right PIN; clear deletes digits, and a short PIN is not entered', async () => {
  const { clock, reader, story, start } = readerFixture();
  start();
  reader.presentCard('visa-contact-pin');
  await clock.advance(100);
  expect(reader.phase).toBe('awaitingPin');

  reader.pressKeys(['9', '9', 'clear']);
  reader.pressKeys(keys('123'));
  await clock.advance(0);
  expect(reader.phase, '123 is too short').toBe('awaitingPin');

  reader.pressKeys(['4', 'enter']);
  await clock.advance(0);
  expect(story()).toEqual(['card.presented', 'card.read', 'pin.entered', 'pin.accepted']);
});

test.each([
  ['visa-contact-pin', ['0000', '1234'], ['rejected 2', 'accepted']],
  ['visa-contact-pin', ['0000', '0001', '1234'], ['rejected 2', 'rejected 1', 'accepted']],
  ['visa-contact-pin', ['0000', '0001', '0002'], ['rejected 2', 'rejected 1', 'rejected 0']],
  ['visa-blocked-pin', ['1234'], ['rejected 0']],
])('virtual reader: %s after the PINs %j emits %j', async (card, pins, answers) => {
  const { clock, reader, facts, start } = readerFixture();
  start();
  reader.presentCard(card);
  await clock.advance(100);
  for (const pin of pins) {
    reader.pressKeys(keys(pin));
    await clock.advance(0);
  }

  const said = facts.flatMap((fact) => {
    if (fact.type === 'pin.accepted') return ['accepted'];
    return fact.type === 'pin.rejected' ? [`rejected ${fact.triesLeft}`] : [];
  });
  expect(said).toEqual(answers);
});

test('virtual reader: PIN tries continue when the card is inserted again, and reset with the next action', async () => {
  const { clock, reader, facts, start } = readerFixture();
  const wrongPin = async () => {
    reader.presentCard('visa-contact-pin');
    await clock.advance(100);
    reader.pressKeys(keys('0000'));
    await clock.advance(0);
  };
  start();
  await wrongPin();
  expect(facts.at(-1)).toEqual({ type: 'pin.rejected', triesLeft: 2 });

  reader.removeCard();
  await clock.advance(0);
  await wrongPin();
  expect(facts.at(-1)).toEqual({ type: 'pin.rejected', triesLeft: 1 });

  reader.end();
  start();
  await wrongPin();
  expect(facts.at(-1)).toEqual({ type: 'pin.rejected', triesLeft: 2 });
});

test('virtual reader: a card removed while it is read was not read, and can be presented again', async () => {
  const { clock, reader, story, start } = readerFixture();
  start();
  reader.presentCard('visa-contact-pin');
  await clock.advance(50);
  expect(reader.removeCard()).toEqual({ ok: true });
  await clock.advance(1000);
  expect(story()).toEqual(['card.presented', 'card.removed']);

  reader.presentCard('visa-contact-pin');
  await clock.advance(100);
  expect(story().slice(2)).toEqual(['card.presented', 'card.read']);
});

test('virtual reader: a card removed during PIN entry ends PIN entry', async () => {
  const { clock, reader, story, start } = readerFixture();
  start();
  reader.presentCard('visa-contact-pin');
  await clock.advance(100);
  reader.pressKeys(['1', '2']);
  reader.removeCard();
  await clock.advance(0);

  expect(story().at(-1)).toBe('card.removed');
  expect(reader.phase).toBe('awaitingCard');
  expect(reader.pressKeys(['3', '4', 'enter'])).toMatchObject({
    problem: 'the terminal does not ask for a PIN',
  });
});

test('virtual reader: an unreadable card can be presented again', async () => {
  const { clock, reader, story, start } = readerFixture();
  start();
  for (let time = 0; time < 3; time++) {
    expect(reader.presentCard('visa-unreadable', 'Contact')).toEqual({ ok: true });
    await clock.advance(100);
  }

  expect(story()).toEqual(Array.from({ length: 3 }, () => ['card.presented', 'card.unreadable']).flat());
});

test('virtual reader: reads a card presented before the action once the terminal awaits a card', async () => {
  const { clock, reader, story, start } = readerFixture();
  expect(reader.presentCard('visa-contactless')).toEqual({ ok: true });
  expect(reader.presentCard('apple-pay')).toMatchObject({
    problem: 'visa-contactless is at the reader already: remove it first',
  });
  start();
  await clock.advance(100);

  expect(story()).toEqual(['card.presented', 'card.read']);
});

test('virtual reader: a card removed before the action emits nothing', async () => {
  const { clock, reader, story, start } = readerFixture();
  reader.presentCard('visa-contactless');
  expect(reader.removeCard()).toEqual({ ok: true });
  start();
  await clock.advance(1000);

  expect(story()).toEqual([]);
  expect(reader.phase).toBe('awaitingCard');
});

test('virtual reader: end removes the card and stops all events', async () => {
  const { clock, reader, story, start } = readerFixture();
  start();
  reader.presentCard('visa-contact-pin');
  reader.end();
  await clock.advance(1000);
  expect(story(), 'not even the fact that was on its way').toEqual([]);
  expect(reader.phase).toBe('idle');

  start();
  await clock.advance(1000);
  expect(story(), 'the card went back to its holder').toEqual([]);
  expect(clock.due).toEqual([]);
});

test('virtual reader: begin takes over from the action before', async () => {
  const { clock, reader, facts, start } = readerFixture();
  start();
  reader.presentCard('visa-contactless');
  await clock.advance(50);
  const later: string[] = [];
  reader.begin({ ...PAYMENT, amountMinor: 99 }, (fact) => later.push(fact.type));
  reader.awaitCard();
  await clock.advance(1000);

  expect(facts.map((fact) => fact.type)).toEqual(['card.presented']);
  expect(later).toEqual([]);
});

test('virtual reader: cancel works during an action only', async () => {
  const { clock, reader, story, start } = readerFixture();
  expect(reader.pressKeys(['cancel'])).toMatchObject({ ok: false });
  start();
  expect(reader.pressKeys(['1'])).toMatchObject({ problem: 'the terminal does not ask for a PIN' });
  expect(reader.pressKeys(['cancel'])).toEqual({ ok: true });
  await clock.advance(0);

  expect(story()).toEqual(['cancel.pressed']);
});

test('virtual reader: cancel during PIN entry discards the typed digits', async () => {
  const { clock, reader, story, start } = readerFixture();
  start();
  reader.presentCard('visa-contact-pin');
  await clock.advance(100);
  reader.pressKeys(['1', '2', '3', '4', 'cancel', 'enter']);
  await clock.advance(0);

  expect(story().at(-1)).toBe('cancel.pressed');
  expect(story()).not.toContain('pin.entered');
});

test('virtual reader: presentCard refuses an interface that the terminal or the card does not have', () => {
  const tapOnly = readerFixture({ interfaces: ['Contactless'] });
  tapOnly.start();

  expect(tapOnly.reader.presentCard('visa-swipe')).toEqual({
    ok: false,
    problem: 'this terminal does not take Swipe; it takes: Contactless',
  });
  expect(tapOnly.reader.presentCard('visa-swipe', 'Contact')).toEqual({
    ok: false,
    problem: 'visa-swipe has no Contact; it has: Swipe',
  });
  expect(tapOnly.reader.presentCard('gold-card')).toMatchObject({
    problem: expect.stringContaining('visa-swipe'),
  });
  expect(tapOnly.reader.presentCard('apple-pay'), 'a phone is tapped').toEqual({ ok: true });
  expect(tapOnly.reader.removeCard()).toEqual({ ok: true });
  expect(tapOnly.reader.removeCard()).toEqual({ ok: false, problem: 'there is no card at the reader' });
});

test('virtual reader: no event has the card number or the PIN, for any card', async () => {
  const secrets = ['4012000000060085', '5555555555554444', '343434343434343', '4000000000001000', '1234'];
  for (const name of CARD_NAMES) {
    const { clock, reader, facts, start } = readerFixture();
    start({ amountMinor: 50_000 });
    const done = reader.presentCard(name);
    await clock.advance(100);
    if (reader.phase === 'awaitingPin') reader.pressKeys(keys('1234'));
    await clock.advance(0);

    const seen = JSON.stringify([facts, done, reader, reader.card, reader.request]);
    expect(facts.length).toBeGreaterThan(1);
    for (const secret of secrets) expect(seen.replaceAll(PAYMENT.actionId, '')).not.toContain(secret);
  }
});
