import { hasLongDigitRun, isCardNumber, replaceCardNumbers } from '../../protocol/card-numbers.ts';

/** What stands where something is not shown. */
const HIDDEN = '··';

/** Members whose text is never shown, in lower case. What has members of its own is looked into. */
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

// What is shown of one body: enough for a person, and a bound on what is kept.
const NODES_MAX = 400;
const DEPTH_MAX = 12;
const CHARACTERS_MAX = 2_000;
// Longer than anything that is recognised in a text, so that a cut does not save half of it from being masked.
const LOOKED_AT_CHARACTERS = CHARACTERS_MAX + 300;

/** A body as it may be shown and kept: without secrets, cut where it is very long. The body itself stays as it is. */
export function masked(value: unknown): unknown {
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
    if (inner !== undefined) shown[maskedText(member)] = maskedValue(inner, member, depth + 1, budget);
  }
  return shown;
}

function maskedMember(name: string, text: string): string {
  const member = name.toLowerCase();
  if (HIDDEN_MEMBERS.has(member)) return HIDDEN;
  // What is typed on a keypad is a PIN more often than not.
  if (member === 'keys') return /^\d$/.test(text) ? '•' : maskedText(text);
  // A card's, also one that is no good; other numbers have longer names.
  if (member === 'number' && /^[\d -]{7,}$/.test(text)) return cardNumber(text.replace(/\D/g, ''));
  return maskedText(text);
}

// Timestamps have as many digits as a card number.
const TIME = /(Ms|Timestamp)$/;

function maskedNumber(name: string, value: number): unknown {
  if (HIDDEN_MEMBERS.has(name.toLowerCase()) || name === 'number') return HIDDEN;
  if (value < 1e12 || TIME.test(name)) return value;
  const digits = value.toFixed(0);
  return isCardNumber(digits) ? cardNumber(digits) : value;
}

/** A text without what must not be shown, whatever stands around it. */
export function maskedText(text: string): string {
  let shown = text.length > CHARACTERS_MAX ? text.slice(0, LOOKED_AT_CHARACTERS) : text;
  // Nearly every text has nothing to hide, and one look says so.
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
