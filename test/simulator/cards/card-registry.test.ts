import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checker } from '../../../protocol/schema.ts';
import { MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import { CHIP_CARD_NAMES } from '../../../simulator/cards/chip-card-registry.ts';
import {
  CARD_NAMES,
  cardNamed,
  DEFAULT_CARD,
  unknownCardMessage,
} from '../../../simulator/cards/card-registry.ts';

test('card registries: together list every profile in the folder under its file name', () => {
  const files = readdirSync(new URL('../../../simulator/cards/profiles/', import.meta.url));
  const names = new Set([...CARD_NAMES, ...CHIP_CARD_NAMES]);

  expect([...names].sort(), "'npm run cards' lists the profiles in simulator/cards/card-files.ts").toEqual(
    files.map((file) => file.replace(/\.json$/, '')).sort(),
  );
  expect(CARD_NAMES[0]).toBe(DEFAULT_CARD);
});

const check = checker(MaskedCard);

test.each(CARD_NAMES)('card %s: its masked cards match the schema of the protocol', (name) => {
  const card = cardNamed(name)!;

  for (const entryMode of card.entryModes) expect(check(card.masked(entryMode))).toEqual([]);
});

test.each([
  // name, entry modes, scheme, last four, PIN, tries
  ['visa-contactless', ['Contactless'], 'Visa', '0085', true, 3],
  ['mastercard-contactless', ['Contactless'], 'Mastercard', '4444', true, 3],
  ['amex-contactless', ['Contactless'], 'Amex', '4343', false, 0],
  ['visa-contact-pin', ['Contact', 'Contactless'], 'Visa', '0085', true, 3],
  ['mastercard-contact-pin', ['Contact', 'Contactless'], 'Mastercard', '4444', true, 3],
  ['amex-contact-pin', ['Contact', 'Contactless'], 'Amex', '0126', true, 3],
  ['visa-swipe', ['Swipe'], 'Visa', '0085', false, 0],
  ['apple-pay', ['Wallet'], 'Visa', '0085', false, 0],
  ['google-pay', ['Wallet'], 'Mastercard', '4444', false, 0],
  ['visa-expired', ['Contactless', 'Contact'], 'Visa', '0085', true, 3],
  ['visa-blocked-pin', ['Contact'], 'Visa', '0085', true, 0],
  ['visa-unreadable', ['Contactless', 'Contact', 'Swipe'], 'Visa', '0085', false, 0],
  ['visa-declined', ['Contactless', 'Contact'], 'Visa', '1000', true, 3],
])('card %s: has the properties that its name says', (name, entryModes, scheme, last4, hasPin, pinTries) => {
  const card = cardNamed(name)!;

  expect(card).toMatchObject({ entryModes, hasPin, pinTries, readable: name !== 'visa-unreadable' });
  expect(card.masked(card.entryModes[0]!)).toMatchObject({ scheme, last4 });
});

test('cards: phones have their wallet, and the expired card its expiry date', () => {
  expect(cardNamed('apple-pay')!.masked('Wallet').wallet).toBe('ApplePay');
  expect(cardNamed('google-pay')!.masked('Wallet').wallet).toBe('GooglePay');
  expect(cardNamed('visa-expired')!.masked('Contact')).toMatchObject({
    expiryMonth: '01',
    expiryYear: '2020',
  });
});

test('cardNamed: returns undefined for an unknown name, and unknownCardMessage lists the cards', () => {
  for (const name of ['visa', '', 'constructor', '__proto__', '../profiles/visa-swipe']) {
    expect(cardNamed(name)).toBeUndefined();
  }
  expect(unknownCardMessage('visa')).toContain("there is no card 'visa'");
  expect(unknownCardMessage('visa')).toContain('mastercard-contactless');
  expect(unknownCardMessage('x'.repeat(10_000)).length).toBeLessThan(400);
});

test('cardNamed: leaves out cards that need a chip reader', () => {
  expect(CHIP_CARD_NAMES).toContain('visa-torn');
  expect(cardNamed('visa-torn')).toBeUndefined();
  expect(unknownCardMessage('visa-torn')).not.toMatch(/: .*visa-torn/);
});

test('cardNamed: returns the same object each time', () => {
  expect(cardNamed('visa-swipe')).toBe(cardNamed('visa-swipe'));
});
