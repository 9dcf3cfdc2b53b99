import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasExpired, readCard, schemeOf, securityCodeLength } from '../../../../server/bank/issuer/card.ts';

const EXPIRY = { month: '12', year: '2030' };

test.each([
  ['4242424242424242', 'Visa'],
  ['5105105105105100', 'Mastercard'],
  ['5555555555554444', 'Mastercard'],
  ['2221000000000009', 'Mastercard'],
  ['2720990000000007', 'Mastercard'],
  ['343434343434343', 'Amex'],
  ['378282246310005', 'Amex'],
])('readCard: %s is a %s', (number, scheme) => {
  expect(schemeOf(number)).toBe(scheme);
  expect(readCard(number, EXPIRY)).toEqual({
    scheme,
    bin: number.slice(0, 6),
    last4: number.slice(-4),
    expiryMonth: '12',
    expiryYear: '2030',
  });
});

test.each([
  '2220990000000000',
  '2721000000000000',
  '5600000000000000',
  '350000000000000',
  '6011000990139424',
  '',
  '0',
])('readCard: %s belongs to no accepted scheme', (number) => {
  expect(schemeOf(number)).toBeUndefined();
  expect(readCard(number, EXPIRY)).toBeUndefined();
});

test('readCard: a card number with one wrong digit is no card', () => {
  const digit = fc.integer({ min: 0, max: 15 });
  const wrong = fc.integer({ min: 1, max: 9 });
  fc.assert(
    fc.property(
      fc.constantFrom('4242424242424242', '5555555555554444'),
      digit,
      wrong,
      (number, place, off) => {
        const other = (Number(number[place]) + off) % 10;
        const mistyped = number.slice(0, place) + other + number.slice(place + 1);
        expect(readCard(mistyped, EXPIRY)).toBeUndefined();
      },
    ),
  );
});

test('card: valid to the end of its expiry month', () => {
  const card = { expiryMonth: '02', expiryYear: '2028' };
  expect(hasExpired(card, Date.UTC(2028, 2, 1) - 1)).toBe(false);
  expect(hasExpired(card, Date.UTC(2028, 2, 1))).toBe(true);
});

test('card: the security code of Amex has four digits', () => {
  expect([securityCodeLength('Visa'), securityCodeLength('Amex')]).toEqual([3, 4]);
});
