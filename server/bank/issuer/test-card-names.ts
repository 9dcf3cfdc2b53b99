import { schemeOf } from './card.ts';
import { ISSUED_CARDS } from './issued-cards.ts';
import { AUTHENTICATED_CARDS, DECLINED_CARDS } from './test-cards.ts';

/** Numbers that providers publish for tests, and that this issuer approves like any other. */
const PUBLISHED = ['4242424242424242', '4111111111111111', '5105105105105100', '2223003122003222'];

const NUMBERS = new Set([
  ...[...AUTHENTICATED_CARDS, ...DECLINED_CARDS, ...ISSUED_CARDS].map(({ number }) => number),
  ...PUBLISHED,
]);

/** Returns the name of a test card, such as `visa-0085`; undefined for a number that is of no test card. */
export function nameOfTestCard(number: string): string | undefined {
  return NUMBERS.has(number) ? `${schemeOf(number)?.toLowerCase()}-${number.slice(-4)}` : undefined;
}

/** Returns the number of the test card with this name; undefined for an unknown name. */
export function numberOfTestCard(name: string): string | undefined {
  return [...NUMBERS].find((number) => nameOfTestCard(number) === name);
}
