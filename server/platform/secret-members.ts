import {
  areDigitsAndSeparators,
  digitsOf,
  hideDigits,
  isLikelyCardNumberAsNumber,
} from '../../protocol/card-numbers.ts';
import { entriesOf } from '../../protocol/tables.ts';

/** What the value of a member is: a secret, a card number if it has enough digits, or keys pressed at a terminal. */
type SecretKind = 'secret' | 'cardNumber' | 'keys';

/** Names of members, their words apart by `_`: `clientSecret`, `client_secret` and `client-secret` are one name. */
const NAMES: Record<SecretKind, readonly string[]> = {
  secret: [
    'account_number',
    'apple_pay_token',
    'authentication_value',
    'authorization',
    'challenge_result',
    'cipher_text',
    'client_secret',
    'cookie',
    'creq',
    'fingerprint',
    'google_pay_token',
    'iban',
    'key',
    'pin',
    'pin_block',
    'sdk_enc_data',
    'sdk_ephemeral_public_key',
    'session_secret',
    'set_cookie',
    'token',
  ],
  cardNumber: ['number', 'card_number'],
  // They are often a PIN.
  keys: ['keys'],
};

/** How the names of other secrets end, as in `card_cvc`, `x-api-key` and `userPassword`. */
const SECRET_ENDINGS = [
  'access_token',
  'api_key',
  'auth_token',
  'bearer_token',
  'csc',
  'cvc',
  'cvc_2',
  'cvv',
  'cvv_2',
  'encryption_key',
  'host_key',
  'id_token',
  'passphrase',
  'password',
  'private_key',
  'refresh_token',
  'secret',
  'secret_key',
  'security_code',
  'session_token',
  'signing_key',
  'verification_value',
];
const ENDING = new RegExp(`(?:${SECRET_ENDINGS.map(joined).join('|')})$`);

const KINDS = new Map(entriesOf(NAMES).flatMap(([kind, names]) => names.map((name) => [joined(name), kind])));

/** Matches the names of members whose values may be secrets, in any case and with any separator between words. */
export const SECRET_NAME = [
  String.raw`[\w-]{0,40}?(?:${SECRET_ENDINGS.map(inText).join('|')})`,
  ...Object.values(NAMES).flat().map(inText),
].join('|');

function joined(name: string): string {
  return name.replaceAll(/[_\s-]/g, '');
}

function inText(name: string): string {
  return name.replaceAll('_', '[_-]?');
}

/** Returns the name of a member in lower case; of the field of a form its last part, as in `card[number]` and `card.number`. */
export function memberNameOf(name: string): string {
  const member = name.toLowerCase();
  const last = /[.[]/.test(member) ? /[^.[\]]*(?=\]?$)/.exec(member)![0] : member;
  return joined(last);
}

/** Returns what the value of a member is; undefined for one that is no secret. */
export function secretKindOf(name: string): SecretKind | undefined {
  const member = memberNameOf(name);
  return KINDS.get(member) ?? (ENDING.test(member) ? 'secret' : undefined);
}

/** Returns the digits of a card number, valid or not; undefined for other texts, such as the number of a house. */
export function digitsOfCardMember(text: string): string | undefined {
  const digits = digitsOf(text);
  return digits.length >= 7 && areDigitsAndSeparators(text) ? digits : undefined;
}

/** Returns whether a number that a member holds is a secret or a card number. */
export function isSecretNumber(name: string, value: number): boolean {
  const kind = secretKindOf(name);
  if (kind === 'cardNumber') return Math.abs(value) >= 1e6;
  return kind !== undefined || isLikelyCardNumberAsNumber(value);
}

/** Returns a text with each digit of pressed keys replaced. */
export function hideKeys(keys: string): string {
  return hideDigits(keys, '•');
}
