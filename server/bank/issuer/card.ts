import { passesLuhnCheck } from '../../../protocol/card-numbers.ts';
import { numberWith } from '../../../protocol/test-cards.ts';

/** The stored data of a card: never more of its number than BIN and last four. */
export interface Card {
  scheme: 'Visa' | 'Mastercard' | 'Amex';
  bin: string;
  last4: string;
  /** Two digits. */
  expiryMonth: string;
  /** Four digits. */
  expiryYear: string;
}

/** BIN ranges and number lengths of the accepted schemes (ISO/IEC 7812-1 Annex B, docs/choices.md, Card numbers). */
const SCHEMES: { scheme: Card['scheme']; begins: RegExp; lengths: number[] }[] = [
  { scheme: 'Visa', begins: /^4/, lengths: [13, 16, 19] },
  {
    scheme: 'Mastercard',
    begins: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
  },
  { scheme: 'Amex', begins: /^3[47]/, lengths: [15] },
];

/** The scheme of a card number by its first digits; undefined when it is not accepted. */
export function schemeOf(number: string): Card['scheme'] | undefined {
  return SCHEMES.find(({ begins }) => begins.test(number))?.scheme;
}

/** How many digits the security code of a scheme has. */
export function securityCodeLength(scheme: Card['scheme']): number {
  return scheme === 'Amex' ? 4 : 3;
}

/**
 * Returns the card of a full number, which is not stored. Undefined for a number that no issuer can have issued:
 * unknown scheme, wrong length or wrong check digit (ISO/IEC 7812-1 Annex B).
 */
export function readCard(number: string, expiry: { month: string; year: string }): Card | undefined {
  const row = SCHEMES.find(({ begins }) => begins.test(number));
  if (!row || !row.lengths.includes(number.length) || !passesLuhnCheck(number)) return undefined;
  return {
    scheme: row.scheme,
    bin: number.slice(0, 6),
    last4: number.slice(-4),
    expiryMonth: expiry.month,
    expiryYear: expiry.year,
  };
}

/** A card is valid until the end of its expiry month. */
export function hasExpired(card: Pick<Card, 'expiryMonth' | 'expiryYear'>, nowMs: number): boolean {
  return Date.UTC(Number(card.expiryYear), Number(card.expiryMonth), 1) <= nowMs;
}

/** Issuer data of a card's BIN; the same for every card of the sandbox. */
export function binDetailsOf(scheme: Card['scheme'], fundingType = 'Credit') {
  return { issuer: scheme.toUpperCase(), issuerCountry: 'GB', fundingType, productType: 'Consumer' };
}

/** A wallet's payment: the card in an encrypted token. */
export type WalletToken =
  | { type: 'GooglePay'; googlePayToken: string | undefined }
  | { type: 'ApplePay'; applePayToken: string | undefined };

const WALLET_CARD = numberWith('frictionless');
const WALLET_CARD_YEARS = 3;

/**
 * Returns the card in a wallet's token. No token can be opened here, so any that looks like one holds the sandbox's
 * first card (docs/choices.md, Wallets): Google's begins as a JSON object, Apple's as base64, and both may be cut short,
 * as in the samples of client libraries. Undefined for any other text.
 */
export function openWallet(token: WalletToken, nowMs: number): Card | undefined {
  const isToken =
    token.type === 'GooglePay'
      ? isJsonBeginning(token.googlePayToken)
      : isBase64Beginning(token.applePayToken);
  if (!isToken) return undefined;
  const year = String(new Date(nowMs).getUTCFullYear() + WALLET_CARD_YEARS);
  return readCard(WALLET_CARD, { month: '12', year });
}

function isJsonBeginning(text: string | undefined): boolean {
  return text !== undefined && /^\s*\{\s*["}]/.test(text);
}

function isBase64Beginning(text: string | undefined): boolean {
  return text !== undefined && /^[A-Za-z0-9+/_-]+(={0,2}|\.*)$/.test(text);
}
