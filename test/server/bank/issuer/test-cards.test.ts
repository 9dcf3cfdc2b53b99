import { expect, test } from 'vitest';
import { TEST_CARDS, testCardOf } from '../../../../protocol/test-cards.ts';
import { readCard, schemeOf } from '../../../../server/bank/issuer/card.ts';
import {
  authenticationOf,
  isPinOf,
  nameOfTestCard,
  numberOfTestCard,
} from '../../../../server/bank/issuer/test-cards.ts';
import { cardNamed, CARD_NAMES } from '../../../../simulator/cards/card-registry.ts';
import { PROFILES } from '../../../../simulator/cards/card-files.ts';

const NUMBERS = TEST_CARDS.map(({ number }) => number);
const EXPIRY = { month: '12', year: '2030' };

test('issuer of test cards: are valid, of their scheme, and differ in what is stored of them', () => {
  const kept = NUMBERS.map((number) => readCard(number, EXPIRY));
  expect(NUMBERS.filter((_, at) => kept[at] === undefined)).toEqual([]);
  expect(new Set(kept.map((card) => `${card!.bin}${card!.last4}`)).size).toBe(NUMBERS.length);
  expect(TEST_CARDS.filter(({ number, scheme }) => schemeOf(number) !== scheme)).toEqual([]);
});

test('issuer of test cards: the issuer authenticates as the table says, and any other card frictionless', () => {
  for (const card of TEST_CARDS) {
    const expected = 'threeDs' in card ? card.threeDs : 'frictionless';
    expect([card.number, authenticationOf(readCard(card.number, EXPIRY)!)]).toEqual([card.number, expected]);
  }
  expect(authenticationOf(readCard('4444333322221111', EXPIRY)!)).toBe('frictionless');
});

test.each(CARD_NAMES.filter((name) => cardNamed(name)!.hasPin))(
  'issuer of test cards: the issuer knows the PIN that the cardholder of %s enters',
  (name) => {
    const { pan } = PROFILES[name] as { pan: string };
    const pin = cardNamed(name)!.holderPin()!;
    expect(isPinOf(pan, pin)).toBe(true);
    expect(isPinOf(pan, `${pin}0`)).toBe(false);
  },
);

test('issuer of test cards: a card of another issuer, or without a PIN, has no PIN', () => {
  expect(isPinOf('4444333322221111', '1234')).toBe(false);
  expect(testCardOf('4242424242424242')).toBeDefined();
  expect(isPinOf('4242424242424242', '1234')).toBe(false);
});

test('issuer of test cards: a name leads back to its number', () => {
  const named = NUMBERS.flatMap((number) => nameOfTestCard(number) ?? []);
  expect(named).toContain('visa-0085');
  for (const name of named) expect(nameOfTestCard(numberOfTestCard(name)!)).toBe(name);
  // Two published numbers of Mastercard end in 0011: the name is that of the simulated card.
  expect(numberOfTestCard('mastercard-0011')).toBe('5413330089020011');
  expect(nameOfTestCard('2223000048400011')).toBeUndefined();
  expect(nameOfTestCard('4444333322221111')).toBeUndefined();
});
