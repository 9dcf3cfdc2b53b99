/** A prefix of card numbers, or a whole number, published for tests. */
interface TestRange {
  prefix: string;
  what: string;
}

/** Returns ranges of one card number each. */
function numbers(what: string, ...all: string[]): TestRange[] {
  return all.map((prefix) => ({ prefix, what }));
}

/**
 * Ranges of card numbers that networks publish for tests. A card outside them is declined by default, since a reader
 * can read any real card and no money may move (docs/choices.md, Test ranges).
 */
export const TEST_RANGES: readonly TestRange[] = [
  { prefix: '476173', what: 'Visa, acquirer test cards' },
  { prefix: '541333', what: 'Mastercard, M/Chip test cards' },
  { prefix: '374245', what: 'American Express, AEIPS test cards' },
  ...numbers('Visa, test numbers of the sandbox', '4012000000060085', '4000000000001000'),
  ...numbers('Visa, test numbers of the sandbox', '4066330000000004', '4938730000000001', '4918190000000002'),
  ...numbers('Visa, published test numbers', '4111111111111111', '4012888888881881', '4242424242424242'),
  ...numbers('Mastercard, test numbers of the sandbox', '5555555555554444', '5105105105105100'),
  ...numbers('Mastercard, test numbers of the sandbox', '5588686116426417', '5454545454545454'),
  ...numbers('Mastercard, test numbers of the sandbox', '5200000000001021', '5295795976859395'),
  ...numbers('Mastercard, published test numbers', '2223000048400011', '2223003122003222'),
  ...numbers('American Express, test numbers of the sandbox', '343434343434343', '374101000000608'),
  ...numbers(
    'American Express, published test numbers',
    '371449635398431',
    '378282246310005',
    '378734493671000',
  ),
];

/** Returns whether a card number may be used. */
export type CardPolicy = (pan: string) => boolean;

export const acceptTestCards: CardPolicy = (pan) => TEST_RANGES.some(({ prefix }) => pan.startsWith(prefix));
export const acceptAnyCard: CardPolicy = () => true;

/** Reason of a decline by the policy. It must not contain the card number. */
export const NOT_A_TEST_CARD =
  'this is no card of a published test range: start the agent with --allow-any-card to take it all the same';
