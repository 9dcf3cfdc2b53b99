/** Numbers that begin so, or a single one, published for tests: nobody's money is behind them. */
export interface TestRange {
  prefix: string;
  what: string;
}

/** A published number that stands for itself alone. */
function numbers(what: string, ...all: string[]): TestRange[] {
  return all.map((prefix) => ({ prefix, what }));
}

/**
 * Ranges of numbers that networks publish for tests. A dumb reader can read anybody's card, and no money may
 * move here, so a number outside these is refused unless a setting says otherwise (docs/choices.md, Test ranges).
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

/** Whether a card number may be used at all. */
export type CardPolicy = (pan: string) => boolean;

export const onlyTestCards: CardPolicy = (pan) => TEST_RANGES.some(({ prefix }) => pan.startsWith(prefix));
export const anyCard: CardPolicy = () => true;

/** Why a card was not taken, for the one who set the terminal up. No number in it. */
export const NOT_A_TEST_CARD =
  'this is no card of a published test range: start the agent with --allow-any-card to take it all the same';
