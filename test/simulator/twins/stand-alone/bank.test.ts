import { expect, test } from 'vitest';
import { MAGIC_DECLINES, TEST_CARDS } from '../../../../protocol/test-cards.ts';
import { decide } from '../../../../server/bank/issuer/issuer.ts';
import { createCard } from '../../../../simulator/cards/card-profile.ts';
import { CARD_NAMES, cardNamed } from '../../../../simulator/cards/card-registry.ts';
import { testBank } from '../../../../simulator/twins/stand-alone/bank.ts';

const NOW_MS = Date.UTC(2026, 0, 5);
const AMOUNTS = [1000, ...Object.keys(MAGIC_DECLINES).map((ending) => 1000 + Number(ending))];

/** The simulated cards, and one for each number of the table. */
const CARDS = [
  ...CARD_NAMES.map((name) => cardNamed(name)!),
  ...TEST_CARDS.map(({ number }) =>
    createCard(number, {
      version: 3,
      title: 'A test card',
      pan: number,
      expiryMonth: '12',
      expiryYear: '2039',
      entryModes: ['Swipe'],
    }),
  ),
];

test.each(CARDS.map((card) => [card.name, card] as const))(
  "testBank: decides about %s as the server's issuer does",
  (_, card) => {
    for (const amountMinor of AMOUNTS) {
      const issuer = decide({
        actionId: 'tmlact_1',
        amountMinor,
        card: card.masked(card.entryModes[0]!),
        verification: 'None',
        disabledSchemes: [],
        magicAmounts: true,
        nowMs: NOW_MS,
      });
      const approved = testBank.decide(amountMinor, card, NOW_MS) === 0;
      expect([amountMinor, approved]).toEqual([amountMinor, issuer.outcome === 'approved']);
    }
  },
);

test.each([
  ['4000000000001000', 5],
  ['5105105105105100', 51],
])('testBank: declines the card %s with result code %i', (number, code) => {
  const card = CARDS.find(({ name }) => name === number)!;
  expect(testBank.decide(1000, card, NOW_MS)).toBe(code);
});
