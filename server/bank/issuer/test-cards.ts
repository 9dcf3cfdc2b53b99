import type { Card } from './card.ts';

/**
 * How the issuer of a card authenticates its holder: not at all, by a fingerprint of the browser, by a fingerprint and
 * then a challenge, or by a challenge at once.
 */
export type Authentication = 'frictionless' | 'identify' | 'identifyThenChallenge' | 'challenge';

/** What a merchant prefers about challenges. */
export const CHALLENGE_INDICATORS = [
  'NoPreference',
  'NoChallengeRequested',
  'ChallengeRequested',
  'TransactionRiskAnalysisAlreadyPerformed',
] as const;
type ChallengeIndicator = (typeof CHALLENGE_INDICATORS)[number];

/** Cards of the sandbox whose issuer authenticates (docs/choices.md, Test cards). Any other is frictionless. */
export const AUTHENTICATED_CARDS: { number: string; authentication: Authentication }[] = [
  { number: '4012000000060085', authentication: 'frictionless' },
  { number: '4066330000000004', authentication: 'identify' },
  { number: '4938730000000001', authentication: 'identifyThenChallenge' },
  { number: '4918190000000002', authentication: 'challenge' },
  { number: '5555555555554444', authentication: 'frictionless' },
  { number: '5588686116426417', authentication: 'frictionless' },
  { number: '5454545454545454', authentication: 'identify' },
  { number: '5200000000001021', authentication: 'identifyThenChallenge' },
  { number: '5295795976859395', authentication: 'challenge' },
  { number: '343434343434343', authentication: 'frictionless' },
  { number: '371449635398431', authentication: 'identify' },
  { number: '374245455400126', authentication: 'identifyThenChallenge' },
  { number: '374101000000608', authentication: 'challenge' },
];

/** Cards of the sandbox that are declined, each only together with its security code. */
export const DECLINED_CARDS: { number: string; cvc: string; code: string }[] = [
  { number: '4000000000001000', cvc: '222', code: 'declined_do_not_honour' },
  { number: '4000000000001000', cvc: '100', code: 'insufficient_funds' },
  { number: '4000000000001000', cvc: '001', code: 'cvv2_failure' },
  { number: '5105105105105100', cvc: '222', code: 'declined_do_not_honour' },
  { number: '5105105105105100', cvc: '100', code: 'insufficient_funds' },
  { number: '5105105105105100', cvc: '001', code: 'cvv2_failure' },
  { number: '378282246310005', cvc: '1000', code: 'declined_do_not_honour' },
];

// No more of a card than this comes here, and no two of the tables share it.
type Known = Pick<Card, 'bin' | 'last4'>;
const sameCard = (card: Known, number: string) => number.startsWith(card.bin) && number.endsWith(card.last4);

/** How the issuer of a card authenticates its holder. */
export function authenticationOf(card: Known): Authentication {
  const row = AUTHENTICATED_CARDS.find(({ number }) => sameCard(card, number));
  return row?.authentication ?? 'frictionless';
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
  return DECLINED_CARDS.find((row) => row.cvc === cvc && sameCard(card, row.number))?.code;
}
