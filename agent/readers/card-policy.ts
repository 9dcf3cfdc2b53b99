import { testCardOf } from '../../protocol/test-cards.ts';

/**
 * Prefixes of card numbers that networks publish for tests. A card with another number that is no test card
 * (protocol/test-cards.ts) is declined by default, since a reader can read any real card and no money may move
 * (docs/choices.md, Test ranges).
 */
export const TEST_RANGES = [
  '476173', // Visa, acquirer test cards
  '541333', // Mastercard, M/Chip test cards
  '374245', // American Express, AEIPS test cards
] as const;

/** Returns whether a card number may be used. */
export type CardPolicy = (pan: string) => boolean;

export const acceptTestCards: CardPolicy = (pan) =>
  TEST_RANGES.some((prefix) => pan.startsWith(prefix)) || testCardOf(pan) !== undefined;
export const acceptAnyCard: CardPolicy = () => true;

/** Reason of a decline by the policy. It must not contain the card number. */
export const NOT_A_TEST_CARD =
  'this is no card of a published test range: start the agent with --allow-any-card to take it all the same';
