import { TEST_RANGES } from '../../agent/readers/card-policy.ts';
import { TEST_CARDS } from '../../protocol/test-cards.ts';
import { readCard } from '../../server/bank/issuer/card.ts';

// A run of at least 13 digits, single spaces and hyphens between them included.
const DIGIT_RUN = /[0-9](?:[ -]?[0-9]){12,}/g;

/**
 * Finds card numbers in a text. Returns each as BIN and last four, so that a failing test does not print them. Finds:
 * - numbers of test cards and of the test ranges anywhere, also between other digits as in BER-TLV, and with
 *   spaces or hyphens;
 * - any other valid card number (ISO/IEC 7812-1: scheme, length, check digit) that is not part of a longer text: ids,
 *   digests and signatures contain such digits by chance.
 */
export function findCardNumbers(text: string): string[] {
  const digits = runsOfDigits(text);
  const joined = digits.replaceAll(/(?<=[0-9])[ -](?=[0-9])/g, '');
  const found = [digits, joined].flatMap((form) => [
    ...TEST_CARDS.map(({ number }) => number).filter((number) => form.includes(number)),
    ...numbersOfTestRanges(form),
    ...[...form.matchAll(/(?<![\w.-])[0-9]{13,19}(?![\w.-])/g)]
      .map(([number]) => number)
      .filter(isCardNumber),
  ]);
  return [...new Set(found)].map((number) => `${number.slice(0, 6)}...${number.slice(-4)}`);
}

/**
 * Returns the runs of digits of a text that are long enough for a card number, each with the character before and after
 * it. Every world is searched, and nearly all of its text is something else.
 */
function runsOfDigits(text: string): string {
  return [...text.matchAll(DIGIT_RUN)]
    .map(({ 0: run, index }) => text.slice(Math.max(0, index - 1), index + run.length + 1))
    .join('\n');
}

const OF_TEST_RANGE = new RegExp(`(?=(?:${TEST_RANGES.join('|')})[0-9]{7})`, 'g');

function numbersOfTestRanges(text: string): string[] {
  return [...text.matchAll(OF_TEST_RANGE)].flatMap(({ index: start }) =>
    [15, 16].map((length) => text.slice(start, start + length)).filter(isCardNumber),
  );
}

function isCardNumber(digits: string): boolean {
  return /^[0-9]+$/.test(digits) && readCard(digits, { month: '12', year: '2039' }) !== undefined;
}
