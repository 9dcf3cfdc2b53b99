/** Codes of declines by the last three digits of an amount (docs/choices.md, Magic amounts). */
export const MAGIC_DECLINES = {
  901: 'insufficient_funds',
  902: 'expired_card',
  903: 'restricted_card',
  904: 'stolen_card',
  905: 'suspected_fraud',
  906: 'issuer_error',
  907: '3ds_authentication_required',
  908: 'limit_exceeded',
  909: 'risk_declined',
  910: 'gateway_reject',
} as const;

export type MagicDecline = (typeof MAGIC_DECLINES)[keyof typeof MAGIC_DECLINES];

/** Returns the code with which an amount is declined; undefined for an amount that decides nothing. */
export function declineOfMagicAmount(amountMinor: number): MagicDecline | undefined {
  const declines: Readonly<Record<number, MagicDecline>> = MAGIC_DECLINES;
  return declines[amountMinor % 1000];
}

/**
 * How the issuer of a card authenticates its holder: not at all, by a fingerprint of the browser, by a fingerprint and
 * then a challenge, or by a challenge at once.
 */
export type Authentication = 'frictionless' | 'identify' | 'identifyThenChallenge' | 'challenge';

interface TestCard {
  number: string;
  scheme: 'Visa' | 'Mastercard' | 'Amex';
  /** Authentication of an online payment; frictionless when absent. */
  threeDs?: Authentication;
  /** PIN that the issuer gave the card; absent when it has none. */
  pin?: string;
  /** Codes with which online payments are declined, each only together with its security code. */
  online?: readonly { cvc: string; code: string }[];
  /** Code with which every payment at a terminal is declined. */
  inPerson?: string;
}

/** The PIN of every test card that has one. */
export const TEST_PIN = '1234';

/**
 * The test cards, by numbers that networks and providers publish (docs/choices.md, Test cards). Issuer, 3DS, the bank
 * of stand-alone terminals, the card policy of readers, traces and documents read this table. A simulated card
 * (simulator/cards/profiles) is a card of this table with its medium, expiry, funding and chip. BIN and last four
 * of no two are the same.
 */
export const TEST_CARDS = [
  { number: '4012000000060085', scheme: 'Visa', threeDs: 'frictionless', pin: TEST_PIN },
  { number: '4066330000000004', scheme: 'Visa', threeDs: 'identify' },
  { number: '4938730000000001', scheme: 'Visa', threeDs: 'identifyThenChallenge' },
  { number: '4918190000000002', scheme: 'Visa', threeDs: 'challenge' },
  { number: '5555555555554444', scheme: 'Mastercard', threeDs: 'frictionless', pin: TEST_PIN },
  { number: '5588686116426417', scheme: 'Mastercard', threeDs: 'frictionless' },
  { number: '5454545454545454', scheme: 'Mastercard', threeDs: 'identify' },
  { number: '5200000000001021', scheme: 'Mastercard', threeDs: 'identifyThenChallenge' },
  { number: '5295795976859395', scheme: 'Mastercard', threeDs: 'challenge' },
  { number: '343434343434343', scheme: 'Amex', threeDs: 'frictionless' },
  { number: '371449635398431', scheme: 'Amex', threeDs: 'identify' },
  { number: '374245455400126', scheme: 'Amex', threeDs: 'identifyThenChallenge', pin: TEST_PIN },
  { number: '374101000000608', scheme: 'Amex', threeDs: 'challenge' },
  {
    number: '4000000000001000',
    scheme: 'Visa',
    pin: TEST_PIN,
    inPerson: 'declined_do_not_honour',
    online: [
      { cvc: '222', code: 'declined_do_not_honour' },
      { cvc: '100', code: 'insufficient_funds' },
      { cvc: '001', code: 'cvv2_failure' },
    ],
  },
  {
    number: '5105105105105100',
    scheme: 'Mastercard',
    inPerson: 'insufficient_funds',
    online: [
      { cvc: '222', code: 'declined_do_not_honour' },
      { cvc: '100', code: 'insufficient_funds' },
      { cvc: '001', code: 'cvv2_failure' },
    ],
  },
  {
    number: '378282246310005',
    scheme: 'Amex',
    online: [{ cvc: '1000', code: 'declined_do_not_honour' }],
  },
  { number: '4761739001010010', scheme: 'Visa', pin: TEST_PIN },
  { number: '4761739001010028', scheme: 'Visa', pin: TEST_PIN },
  { number: '4761739001010036', scheme: 'Visa', pin: TEST_PIN },
  { number: '4761739001010044', scheme: 'Visa', pin: TEST_PIN },
  { number: '4761739001010051', scheme: 'Visa', pin: TEST_PIN },
  { number: '4761739001010119', scheme: 'Visa', pin: TEST_PIN },
  { number: '5413330089020011', scheme: 'Mastercard', pin: TEST_PIN },
  { number: '374245001751006', scheme: 'Amex', pin: TEST_PIN },
  { number: '4242424242424242', scheme: 'Visa' },
  { number: '4111111111111111', scheme: 'Visa' },
  { number: '4012888888881881', scheme: 'Visa' },
  { number: '2223003122003222', scheme: 'Mastercard' },
  { number: '2223000048400011', scheme: 'Mastercard' },
  { number: '378734493671000', scheme: 'Amex' },
] as const satisfies readonly TestCard[];

type Row = (typeof TEST_CARDS)[number];

/** Codes with which test cards are declined at a terminal. */
export type InPersonDecline = Extract<Row, { inPerson: string }>['inPerson'];

/** The table, with each member that a row may have. */
const CARDS: readonly TestCard[] = TEST_CARDS;

/** Returns the test card with this number; undefined for any other number. */
export function testCardOf(number: string): TestCard | undefined {
  return CARDS.find((card) => card.number === number);
}

/** Returns the test card with this BIN and last four, which are what is stored of a card. */
export function storedTestCard(card: { bin: string; last4: string }): TestCard | undefined {
  return CARDS.find(({ number }) => number.startsWith(card.bin) && number.endsWith(card.last4));
}

/** Returns the code with which a card is declined at a terminal; undefined when it is not. */
export function declineInPerson(card: { bin: string; last4: string }): InPersonDecline | undefined {
  return storedTestCard(card)?.inPerson as InPersonDecline | undefined;
}

/** Returns the number of the first test card whose issuer authenticates in this way. */
export function numberWith(threeDs: Authentication): string {
  return CARDS.find((card) => card.threeDs === threeDs)!.number;
}

/** Every decline of an online payment: a card, its security code and the code of the decline. */
export const ONLINE_DECLINES = CARDS.flatMap(({ number, online = [] }) =>
  online.map((decline) => ({ number, ...decline })),
);

/** A card without a peculiarity, for examples. */
export const PLAIN_NUMBER = '4242424242424242' satisfies Row['number'];
