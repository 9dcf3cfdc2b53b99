import { constantTimeEqual } from '../../platform/constant-time-equal.ts';

/** The PIN of every test card. */
export const TEST_PIN = '1234';

/** Test cards that this issuer gave a PIN, by their published numbers. */
export const ISSUED_CARDS: { number: string; pin: string }[] = [
  { number: '4012000000060085', pin: TEST_PIN },
  { number: '4000000000001000', pin: TEST_PIN },
  { number: '4761739001010010', pin: TEST_PIN },
  { number: '4761739001010028', pin: TEST_PIN },
  { number: '4761739001010036', pin: TEST_PIN },
  { number: '4761739001010044', pin: TEST_PIN },
  { number: '4761739001010051', pin: TEST_PIN },
  { number: '4761739001010119', pin: TEST_PIN },
  { number: '5555555555554444', pin: TEST_PIN },
  { number: '5413330089020011', pin: TEST_PIN },
  { number: '374245455400126', pin: TEST_PIN },
  { number: '374245001751006', pin: TEST_PIN },
];

/** Returns whether a card has this PIN; false for a card without a PIN, or of another issuer. */
export function isPinOf(number: string, pin: string): boolean {
  const card = ISSUED_CARDS.find((issued) => issued.number === number);
  return card !== undefined && constantTimeEqual(pin, card.pin);
}
