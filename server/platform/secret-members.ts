import { isLikelyCardNumberAsNumber } from '../../protocol/card-numbers.ts';

/** What the value of a member is: a secret, a card number if it has enough digits, or keys pressed at a terminal. */
type SecretKind = 'secret' | 'cardNumber' | 'keys';

const NAMES: Record<SecretKind, readonly string[]> = {
  secret: [
    'accountnumber',
    'applepaytoken',
    'authenticationvalue',
    'authorization',
    'challengeresult',
    'ciphertext',
    'clientsecret',
    'cookie',
    'creq',
    'cvc',
    'cvv',
    'fingerprint',
    'googlepaytoken',
    'iban',
    'key',
    'password',
    'pin',
    'pinblock',
    'sdkencdata',
    'sdkephemeralpublickey',
    'secret',
    'sessionsecret',
    'set-cookie',
    'token',
  ],
  cardNumber: ['number', 'cardnumber'],
  // They are often a PIN.
  keys: ['keys'],
};

const KINDS = new Map(
  Object.entries(NAMES).flatMap(([kind, names]) => names.map((name) => [name, kind as SecretKind])),
);

/** Names of members whose values may be secrets, in lower case. */
export const SECRET_MEMBERS: readonly string[] = [...KINDS.keys()];

/** Returns the name of a member in lower case; of the field of a form its last part, as in `card[number]` and `card.number`. */
export function memberNameOf(name: string): string {
  const member = name.toLowerCase();
  return /[.[]/.test(member) ? /[^.[\]]*(?=\]?$)/.exec(member)![0] : member;
}

/** Returns what the value of a member is; undefined for one that is no secret. */
export function secretKindOf(name: string): SecretKind | undefined {
  return KINDS.get(memberNameOf(name));
}

/** Returns the digits of a card number, valid or not; undefined for other texts, such as the number of a house. */
export function digitsOfCardMember(text: string): string | undefined {
  return /^[\d -]{7,}$/.test(text) ? text.replace(/\D/g, '') : undefined;
}

/** Returns whether a number that a member holds is a secret or a card number. */
export function isSecretNumber(name: string, value: number): boolean {
  const kind = secretKindOf(name);
  if (kind === 'cardNumber') return Math.abs(value) >= 1e6;
  return kind !== undefined || isLikelyCardNumberAsNumber(value);
}

/** Returns a text with each digit of pressed keys replaced. */
export function hideKeys(keys: string): string {
  return keys.replaceAll(/\d/g, '•');
}
