import { hasLongDigitRun, isCardNumber, replaceCardNumbers } from '../../protocol/card-numbers.ts';

/** Replaces a secret. */
export const HIDDEN = '··';

/** Fields whose text is replaced, in lower case. The fields of an object are masked one by one. */
const HIDDEN_MEMBERS = new Set([
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
]);

/** Whether the text of a member with this name is a secret. */
export function isHiddenMember(name: string): boolean {
  return HIDDEN_MEMBERS.has(name.toLowerCase());
}

const DEPTH_MAX = 12;
// Longer than any secret that is recognised in a text, so that one at the cut is masked too.
const LOOKED_AT_BEYOND = 300;

/** How much of a body is shown. */
interface MaskLimits {
  /** Members and items of the whole body. */
  nodes: number;
  /** Characters of each text. */
  characters: number;
}

// Of one body, so that it can be read and takes little memory.
const LIMITS: MaskLimits = { nodes: 400, characters: 2_000 };

/** Returns a copy of a body without secrets, cut where it is very long. */
export function maskSecrets(value: unknown, limits: MaskLimits = LIMITS): unknown {
  return maskedValue(value, '', 0, { ...limits });
}

function maskedValue(value: unknown, name: string, depth: number, budget: MaskLimits): unknown {
  budget.nodes -= 1;
  if (typeof value === 'string') return maskedMember(name, value, budget.characters);
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

function maskedMember(name: string, text: string, charactersMax: number): string {
  const member = name.toLowerCase();
  if (HIDDEN_MEMBERS.has(member)) return HIDDEN;
  // Keys typed on a keypad are often a PIN.
  if (member === 'keys') return /^\d$/.test(text) ? '•' : maskSecretsInText(text);
  // A card number, valid or not; other numbers have longer field names.
  if (member === 'number' && /^[\d -]{7,}$/.test(text)) return cardNumber(text.replace(/\D/g, ''));
  return maskSecretsInText(text, charactersMax);
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
export function maskSecretsInText(text: string, charactersMax = LIMITS.characters): string {
  let shown = text.length > charactersMax ? text.slice(0, charactersMax + LOOKED_AT_BEYOND) : text;
  // Most texts hold no secret, which one search shows.
  if (!SUSPECT.test(shown) && !hasLongDigitRun(shown))
    return text.length > charactersMax ? `${shown.slice(0, charactersMax)}…` : text;
  if (/^https?:/i.test(shown)) shown = shown.replace(/\?.*$/s, `?${HIDDEN}`);
  for (const [secret, instead] of SECRETS) shown = shown.replace(secret, instead);
  shown = replaceCardNumbers(shown, 'any', (found) => cardNumber(found.replaceAll(/\D/g, '')));
  return shown.length > charactersMax ? `${shown.slice(0, charactersMax)}…` : shown;
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

const MEMBER_OF_TEXT = /"([^"\\]{1,40})"(\s*:\s*)("(?:[^"\\]|\\.)*"?|[^\s,}\]]+)/g;

/** Returns a text that is meant to be JSON, and cannot be parsed, without the secrets and card numbers in it. */
export function maskSecretsInBrokenJson(text: string, charactersMax = LIMITS.characters): string {
  const shown = text
    .slice(0, charactersMax + LOOKED_AT_BEYOND)
    .replace(MEMBER_OF_TEXT, (whole, name: string, colon: string) => {
      const member = name.toLowerCase();
      return HIDDEN_MEMBERS.has(member) || member === 'keys' || member === 'number'
        ? `"${name}"${colon}"${HIDDEN}"`
        : whole;
    });
  return maskSecretsInText(shown, charactersMax);
}
