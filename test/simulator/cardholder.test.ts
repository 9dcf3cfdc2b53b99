import { expect, test } from 'vitest';
import { createCardholder, type CardholderOptions } from '../../simulator/cardholder.ts';
import type { VirtualReaderOptions } from '../../simulator/virtual-reader.ts';
import { readerFixture } from './reader-fixture.ts';

function counter(options: CardholderOptions, reader: Partial<VirtualReaderOptions> = {}) {
  const fixture = readerFixture(reader);
  return { ...fixture, cardholder: createCardholder(fixture, options) };
}

test('cardholder: by default taps a card after a second', async () => {
  const { clock, story, facts, start } = counter({ script: 'tap' });
  start();
  await clock.advance(999);
  expect(story()).toEqual([]);

  await clock.advance(101);
  expect(story()).toEqual(['card.presented', 'card.read']);
  expect(facts[1]).toMatchObject({ card: { scheme: 'Visa', last4: '0085', entryMode: 'Contactless' } });
  expect(clock.due, 'nobody waits for anything any more').toEqual([]);
});

test('cardholder: enters the PIN over the contactless limit', async () => {
  const { clock, story, start } = counter({ script: 'tap' });
  start({ amountMinor: 20_000 });
  await clock.advance(10_000);

  expect(story()).toEqual(['card.presented', 'card.read', 'pin.entered', 'pin.accepted']);
});

test.each<[CardholderOptions, string[]]>([
  [{ script: 'contact-pin' }, ['card.presented', 'card.read', 'pin.entered', 'pin.accepted']],
  [
    { script: 'wrong-pin-twice' },
    [
      'card.presented',
      'card.read',
      'pin.entered',
      'pin.rejected',
      'pin.entered',
      'pin.rejected',
      'pin.entered',
      'pin.accepted',
    ],
  ],
  [
    { script: 'contact-pin', card: 'visa-blocked-pin' },
    ['card.presented', 'card.read', 'pin.entered', 'pin.rejected'],
  ],
  [{ script: 'remove-early' }, ['card.presented', 'card.removed', 'card.presented', 'card.read']],
  [{ script: 'walk-away' }, []],
  [{ script: 'press-cancel' }, ['cancel.pressed']],
  [{ script: 'none' }, []],
  [{ script: 'tap', card: 'google-pay' }, ['card.presented', 'card.read']],
])('cardholder: the script %j leads to the events %j', async (options, facts) => {
  const { clock, story, start } = counter(options);
  start();
  await clock.advance(60_000);

  expect(story()).toEqual(facts);
});

test('cardholder: without a delay, at a reader without latency, pays without waiting for the clock', async () => {
  const { clock, story, start } = counter({ script: 'wrong-pin-twice', delayMs: 0 }, { readLatencyMs: 0 });
  start();
  await clock.advance(0);

  expect(story().at(-1)).toBe('pin.accepted');
});

test('cardholder: remove-early removes the card while it is read, also at a reader without latency', async () => {
  const { clock, story, start } = counter({ script: 'remove-early', delayMs: 0 }, { readLatencyMs: 0 });
  start();
  await clock.advance(0);

  expect(story()).toEqual(['card.presented', 'card.removed', 'card.presented', 'card.read']);
});

test('cardholder: a magic amount overrides the script for its own action only', async () => {
  const { clock, reader, story, start } = counter({ script: 'tap' });
  start({ cardholder: 'walkAway' });
  await clock.advance(60_000);
  expect(story()).toEqual([]);
  reader.end();

  start({ cardholder: 'pressCancel' });
  await clock.advance(1000);
  expect(story()).toEqual(['cancel.pressed']);
  reader.end();

  start();
  await clock.advance(1100);
  expect(story().at(-1)).toBe('card.read');
});

test('cardholder: does nothing when the action ends during the delay, and starts anew for the next action', async () => {
  const { clock, reader, story, start } = counter({ script: 'tap' });
  start();
  await clock.advance(900);
  reader.end();
  expect(clock.due).toEqual([]);
  await clock.advance(50);
  start();
  await clock.advance(999);

  expect(story()).toEqual([]);
});

test('cardholder: presents no card while another card is at the reader', async () => {
  const { clock, reader, facts, start } = counter({ script: 'tap' });
  start();
  await clock.advance(500);
  reader.presentCard('amex-contactless');
  await clock.advance(60_000);

  expect(facts).toHaveLength(2);
  expect(facts[1]).toMatchObject({ type: 'card.read', card: { scheme: 'Amex' } });
});

test('cardholder: setScript changes the script while the terminal waits for a card', async () => {
  const { clock, cardholder, story, facts, start } = counter({ script: 'none' });
  start();
  await clock.advance(30_000);
  expect(
    cardholder.setScript({ script: 'contact-pin', card: 'mastercard-contact-pin', delayMs: 10 }),
  ).toEqual({
    ok: true,
  });
  await clock.advance(1000);

  expect(story().at(-1)).toBe('pin.accepted');
  expect(facts[1]).toMatchObject({ card: { scheme: 'Mastercard', entryMode: 'Contact' } });
});

test('cardholder: setScript refuses a card that does not exist or does not fit the script', async () => {
  const { clock, cardholder, story, start } = counter({ script: 'tap' });

  expect(cardholder.setScript({ script: 'tap', card: 'gold-card' })).toMatchObject({
    problem: expect.stringContaining('the cards are: visa-contactless'),
  });
  expect(cardholder.setScript({ script: 'contact-pin', card: 'visa-swipe' })).toMatchObject({
    problem: 'contact-pin needs a card with Contact; visa-swipe has: Swipe',
  });
  start();
  await clock.advance(1100);
  expect(story(), 'the old script holds').toEqual(['card.presented', 'card.read']);
});

test('cardholder: what is set for an action holds for that one alone, also before it begins', async () => {
  const { clock, reader, cardholder, facts, start } = counter({ script: 'tap' });
  const mastercard = { script: 'tap', card: 'mastercard-contactless', delayMs: 0 } as const;
  expect(cardholder.setScript({ ...mastercard, actionId: 'tmlact_2' }).ok).toBe(true);
  const cardsRead = () => facts.flatMap((fact) => (fact.type === 'card.read' ? [fact.card.scheme] : []));
  for (const actionId of ['tmlact_1', 'tmlact_2', 'tmlact_3']) {
    start({ actionId });
    await clock.advance(2000);
    reader.end();
  }
  expect(cardsRead()).toEqual(['Visa', 'Mastercard', 'Visa']);
});

test('cardholder: what is set for the next action leaves the one at the reader as it was', async () => {
  const { clock, cardholder, facts, start } = counter({ script: 'tap' });
  const bound = { script: 'tap', card: 'mastercard-contactless', actionId: 'tmlact_1' } as const;
  cardholder.setScript(bound);
  start({ actionId: 'tmlact_1' });
  cardholder.setScript({ script: 'none', actionId: 'tmlact_2' });
  await clock.advance(2000);
  expect(facts).toContainEqual(
    expect.objectContaining({ card: expect.objectContaining({ scheme: 'Mastercard' }) }),
  );
});
