import { readdirSync, readFileSync } from 'node:fs';
import { TEST_RANGES } from '../../agent/readers/card-policy.ts';
import { readCard } from '../../server/bank/issuer/card.ts';

const PROFILES = new URL('../../simulator/cards/profiles/', import.meta.url);

/** The numbers of the simulated cards. */
export const SIMULATED_NUMBERS: readonly string[] = [
  ...new Set(
    readdirSync(PROFILES)
      .filter((file) => file.endsWith('.json'))
      .map((file) => (JSON.parse(readFileSync(new URL(file, PROFILES), 'utf8')) as { pan: string }).pan),
  ),
];

/**
 * Finds card numbers in a text. Returns each as BIN and last four, so that a failing test does not print them. Finds:
 * - numbers of simulated cards and of the test ranges anywhere, also between other digits as in BER-TLV, and with
 *   spaces or hyphens;
 * - any other valid card number (ISO/IEC 7812-1: scheme, length, check digit) that is not part of a longer text: ids,
 *   digests and signatures contain such digits by chance.
 */
export function findCardNumbers(text: string): string[] {
  const joined = text.replaceAll(/(?<=[0-9])[ -](?=[0-9])/g, '');
  const found = [text, joined].flatMap((form) => [
    ...SIMULATED_NUMBERS.filter((number) => form.includes(number)),
    ...TEST_RANGES.flatMap(({ prefix }) => numbersWith(prefix, form)),
    ...[...form.matchAll(/(?<![\w.-])[0-9]{13,19}(?![\w.-])/g)]
      .map(([digits]) => digits)
      .filter(isCardNumber),
  ]);
  return [...new Set(found)].map((number) => `${number.slice(0, 6)}...${number.slice(-4)}`);
}

function numbersWith(prefix: string, text: string): string[] {
  const starts = [...text.matchAll(new RegExp(`(?=${prefix}[0-9]{7})`, 'g'))].map(({ index }) => index);
  return starts.flatMap((start) =>
    [15, 16].map((length) => text.slice(start, start + length)).filter(isCardNumber),
  );
}

function isCardNumber(digits: string): boolean {
  return /^[0-9]+$/.test(digits) && readCard(digits, { month: '12', year: '2049' }) !== undefined;
}
