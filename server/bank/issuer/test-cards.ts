import { storedTestCard, TEST_CARDS, testCardOf, type Authentication } from '../../../protocol/test-cards.ts';
import { constantTimeEqual } from '../../platform/constant-time-equal.ts';
import type { Card } from './card.ts';

/** What a merchant prefers about challenges. */
export const CHALLENGE_INDICATORS = [
  'NoPreference',
  'NoChallengeRequested',
  'ChallengeRequested',
  'TransactionRiskAnalysisAlreadyPerformed',
] as const;
type ChallengeIndicator = (typeof CHALLENGE_INDICATORS)[number];

// No more of a card than this comes here, and no two test cards share it.
type Known = Pick<Card, 'bin' | 'last4'>;

/** How the issuer of a card authenticates its holder. */
export function authenticationOf(card: Known): Authentication {
  return storedTestCard(card)?.threeDs ?? 'frictionless';
}

const CHALLENGED: Record<Authentication, Authentication> = {
  frictionless: 'challenge',
  identify: 'identifyThenChallenge',
  identifyThenChallenge: 'identifyThenChallenge',
  challenge: 'challenge',
};

/** Returns the authentication after the preference of the merchant: the issuer decides (docs/choices.md, 3DS). */
export function withPreference(
  authentication: Authentication,
  indicator: ChallengeIndicator | undefined,
): Authentication {
  if (indicator === 'ChallengeRequested') return CHALLENGED[authentication];
  const unwanted =
    indicator === 'NoChallengeRequested' || indicator === 'TransactionRiskAnalysisAlreadyPerformed';
  return unwanted && authentication === 'identifyThenChallenge' ? 'identify' : authentication;
}

/** The code with which a card and a security code are declined together; undefined when they are not. */
export function declineOf(card: Known, cvc: string | undefined): string | undefined {
  return storedTestCard(card)?.online?.find((decline) => decline.cvc === cvc)?.code;
}

/** Returns whether a card has this PIN; false for a card without a PIN, or of another issuer. */
export function isPinOf(number: string, pin: string): boolean {
  const issued = testCardOf(number)?.pin;
  return issued !== undefined && constantTimeEqual(pin, issued);
}

const NUMBERS_BY_NAME = new Map<string, string>();
for (const { scheme, number } of TEST_CARDS) {
  const name = `${scheme.toLowerCase()}-${number.slice(-4)}`;
  if (!NUMBERS_BY_NAME.has(name)) NUMBERS_BY_NAME.set(name, number);
}
const NAMES = new Map([...NUMBERS_BY_NAME].map(([name, number]) => [number, name]));

/** Returns the name of a test card, such as `visa-0085`; undefined for a number that is of no test card. */
export function nameOfTestCard(number: string): string | undefined {
  return NAMES.get(number);
}

/** Returns the number of the test card with this name; undefined for an unknown name. */
export function numberOfTestCard(name: string): string | undefined {
  return NUMBERS_BY_NAME.get(name);
}
