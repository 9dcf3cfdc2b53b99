import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  digitsOf,
  hasWrittenCardNumber,
  isCardNumber,
  maskCardNumbers,
} from '../../protocol/card-numbers.ts';
import { property } from '../property.ts';

const ACCEPTED = /^(?:3[47][0-9]{13}|[2456][0-9]{15})$/;

/** Masks the parts of some digits that are card numbers, found by a look at each part. */
function maskedPartByPart(digits: string, strictness: 'likely' | 'any'): string {
  const found = isCardNumber(digits) ? [{ start: 0, end: digits.length }] : [];
  for (let start = 0; found[0]?.end !== digits.length && start < digits.length; start += 1) {
    const lengths = [19, 18, 17, 16, 15, 14, 13].filter((length) => start + length <= digits.length);
    const longest = lengths.find((length) => {
      const part = digits.slice(start, start + length);
      return isCardNumber(part) && (strictness === 'any' || ACCEPTED.test(part));
    });
    if (longest === undefined) continue;
    const before = found.at(-1);
    if (before && start < before.end) before.end = Math.max(before.end, start + longest);
    else found.push({ start, end: start + longest });
  }
  return found.reduce(
    (masked, { start, end }) => masked.slice(0, start) + '*'.repeat(end - start - 4) + masked.slice(end - 4),
    digits,
  );
}

const runs = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 13, maxLength: 80 });

property([runs, fc.constantFrom('likely' as const, 'any' as const)])(
  'card numbers: each part of a long run of digits that is a card number is masked, but for its last four',
  (digits, strictness) => {
    expect(maskCardNumbers(digits, strictness)).toBe(maskedPartByPart(digits, strictness));
  },
);

test('card numbers: a megabyte of digits with a card number at each place is masked but for its end', () => {
  const digits = '4242424242424242'.repeat(65_536);
  expect(maskCardNumbers(digits, 'any')).toBe(`${'*'.repeat(digits.length - 4)}4242`);
});

test('card numbers: digits of any script are read as those of ASCII, without what separates them', () => {
  expect(digitsOf('4२٤2-４2۴2 4242\n4242 é 4242')).toBe('42424242424242424242'.slice(0, 20));
});

test('card numbers: one is found as people write it, together or in groups', () => {
  for (const text of [
    '4761739001010119',
    'CARD: 4111111111111111',
    'AUTH 1234 4761 7390 0101 0119 OK',
    '4761-7390-0101-0119',
    '3782 822463 10005',
    'track 4761739001010119=2512',
    'first line\n4761739001010119',
  ])
    expect([text, hasWrittenCardNumber(text)]).toEqual([text, true]);
});

test('card numbers: fields that stand beside each other are none, whatever their digits are together', () => {
  for (const text of [
    '393113\n2026-11-29 20:48:16',
    // Together these pass the check of a Visa number.
    '47617390 01010119',
    '476173\n9001010119',
    '4761-73-90 01010119',
    '************0119',
    'a0b0c0d0-4929-9391-8735-559800000000',
  ])
    expect([text, hasWrittenCardNumber(text)]).toEqual([text, false]);
});
