/**
 * Ranges of numbers that networks publish for tests. A dumb reader can read anybody's card, and no money may
 * move here, so a number outside these is refused unless a setting says otherwise (docs/choices.md, Test ranges).
 */
export const TEST_RANGES: { prefix: string; what: string }[] = [
  { prefix: '476173', what: 'Visa, acquirer test cards' },
  { prefix: '541333', what: 'Mastercard, M/Chip test cards' },
  { prefix: '374245', what: 'American Express, AEIPS test cards' },
];

/** Whether a card number may be used at all. */
export type CardPolicy = (pan: string) => boolean;

export const onlyTestCards: CardPolicy = (pan) => TEST_RANGES.some(({ prefix }) => pan.startsWith(prefix));
export const anyCard: CardPolicy = () => true;
