import { hasLongDigitRun, isCardNumber, replaceCardNumbers } from '../../protocol/card-numbers.ts';

/** Replaces a secret. */
const HIDDEN = '··';

/** Fields whose text is replaced, in lower case. The fields of an object are masked one by one. */
const HIDDEN_MEMBERS = new Set([
  'accountnumber',
  'applepaytoken',
  'authenticationvalue',
  'authorization',
  'challengeresult',
  'ciphertext',
  'clientsecret',
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
  'token',
]);

// Limits of one body, so that it can be read and takes little memory.
const NODES_MAX = 400;
const DEPTH_MAX = 12;
const CHARACTERS_MAX = 2_000;
// Longer than any secret that is recognised in a text, so that one at the cut is masked too.
const LOOKED_AT_CHARACTERS = CHARACTERS_MAX + 300;

/** Returns a copy of a body without secrets, cut where it is very long. */
export function maskSecrets(value: unknown): unknown {
  const budget = { nodes: NODES_MAX };
  return maskedValue(value, '', 0, budget);
}

function maskedValue(value: unknown, name: string, depth: number, budget: { nodes: number }): unknown {
  budget.nodes -= 1;
  if (typeof value === 'string') return maskedMember(name, value);
  if (typeof value === 'number') return maskedNumber(name, value);
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? String(value) : value;
  if (depth >= DEPTH_MAX || budget.nodes <= 0) return '…';
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      if (budget.nodes <= 0) return [...items, '…'];
      items.push(maskedValue(item, name, depth + 1, budget));
    }
    return items;
  }
  const shown: Record<string, unknown> = {};
  for (const [member, inner] of Object.entries(value)) {
    if (budget.nodes <= 0) return { ...shown, '…': '…' };
    if (inner !== undefined) shown[maskSecretsInText(member)] = maskedValue(inner, member, depth + 1, budget);
  }
  return shown;
}

function maskedMember(name: string, text: string): string {
  const member = name.toLowerCase();
  if (HIDDEN_MEMBERS.has(member)) return HIDDEN;
  // Keys typed on a keypad are often a PIN.
  if (member === 'keys') return /^\d$/.test(text) ? '•' : maskSecretsInText(text);
  // A card number, valid or not; other numbers have longer field names.
  if (member === 'number' && /^[\d -]{7,}$/.test(text)) return cardNumber(text.replace(/\D/g, ''));
  return maskSecretsInText(text);
}

// Timestamps have as many digits as a card number.
const TIME = /(Ms|Timestamp)$/;

function maskedNumber(name: string, value: number): unknown {
  if (HIDDEN_MEMBERS.has(name.toLowerCase()) || name === 'number') return HIDDEN;
  if (value < 1e12 || TIME.test(name)) return value;
  const digits = value.toFixed(0);
  return isCardNumber(digits) ? cardNumber(digits) : value;
}

/** Returns a text without the secrets and card numbers in it. */
export function maskSecretsInText(text: string): string {
  let shown = text.length > CHARACTERS_MAX ? text.slice(0, LOOKED_AT_CHARACTERS) : text;
  // Most texts hold no secret, which one search shows.
  if (!SUSPECT.test(shown) && !hasLongDigitRun(shown))
    return text.length > CHARACTERS_MAX ? `${shown.slice(0, CHARACTERS_MAX)}…` : text;
  if (/^https?:/i.test(shown)) shown = shown.replace(/\?.*$/s, `?${HIDDEN}`);
  for (const [secret, instead] of SECRETS) shown = shown.replace(secret, instead);
  shown = replaceCardNumbers(shown, 'any', (found) => cardNumber(found.replaceAll(/\D/g, '')));
  return shown.length > CHARACTERS_MAX ? `${shown.slice(0, CHARACTERS_MAX)}…` : shown;
}

const SUSPECT = /^https?:|[sp]k_|_secret_|whs_|dash_/i;

const SECRETS: [RegExp, string][] = [
  [/\b([sp]k)_(sandbox_|live_)?[^\s"',]{3,}/g, `$1_$2${HIDDEN}`],
  [/_secret_[\w-]+/g, `_secret_${HIDDEN}`],
  [/\bwhs_[\w-]+/g, `whs_${HIDDEN}`],
  [/\bdash_[\w-]+/g, `dash_${HIDDEN}`],
];

/** BIN and last four, as everywhere. */
function cardNumber(digits: string): string {
  return digits.length < 13 || digits.length > 19
    ? HIDDEN
    : `${digits.slice(0, 6)}${HIDDEN}${digits.slice(-4)}`;
}
