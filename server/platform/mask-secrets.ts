import { hasLongDigitRun, isCardNumber, replaceCardNumbersBesideIds } from '../../protocol/card-numbers.ts';
import { maskMembersInText } from './members-in-text.ts';
import { digitsOfCardMember, hideKeys, isSecretNumber, secretKindOf } from './secret-members.ts';
import type { ServerSettings } from './settings.ts';

const URL_IN_TEXT = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>`]+/gi;
const USER_INFO = /^([^/]+\/\/)([^/?#]+)@/;

/** What is shown of the parts of a URL that may be secret. */
interface HideParts {
  userInfo(userInfo: string): string;
  /** @param query without its question mark, not empty */
  query(query: string): string;
}

/** Replaces user info and query in each URL of a text. The query of a text that begins with a URL goes on to its end. */
export function hideUrlSecrets(text: string, hide: HideParts): string {
  if (!text.includes('://')) return text;
  const at = /^https?:/i.test(text) ? text.indexOf('?') : -1;
  if (at < 0 || at === text.length - 1) return hideInUrls(text, hide);
  return `${hideInUrls(text.slice(0, at), hide)}?${hide.query(text.slice(at + 1))}`;
}

function hideInUrls(text: string, { userInfo, query }: HideParts): string {
  return text.replaceAll(URL_IN_TEXT, (url) =>
    url
      .replace(USER_INFO, (_, start: string, found: string) => `${start}${userInfo(found)}@`)
      .replace(/\?([^#]+)/, (_, found: string) => `?${query(found)}`),
  );
}

/** Replaces a secret. */
export const HIDDEN = '··';

const DEPTH_MAX = 12;
// Longer than any secret that is recognised in a text, so that one at the cut is masked too.
const READ_BEYOND = 300;

/** How much of a body is shown. */
interface MaskLimits {
  /** Members and items of the whole body. */
  nodes: number;
  /** Characters of each text. */
  characters: number;
  /** Secrets without a form that shows what they are, such as the key of the host. */
  known?: readonly string[];
}

type TextLimits = Pick<MaskLimits, 'characters' | 'known'>;

// Of one body, so that it can be read and takes little memory.
const LIMITS: MaskLimits = { nodes: 400, characters: 2_000 };

/** Returns a copy of a body without secrets, cut where it is very long. */
export function maskSecrets(value: unknown, limits: Partial<MaskLimits> = {}): unknown {
  return maskedValue(value, '', 0, { ...LIMITS, ...limits });
}

/** Returns the secrets of the settings that only a comparison finds in a text. */
export function knownSecrets({ hostKey, pairingSecret }: ServerSettings): string[] {
  return [hostKey, pairingSecret].flatMap((secret) => secret || []);
}

function maskedValue(value: unknown, name: string, depth: number, budget: MaskLimits): unknown {
  budget.nodes -= 1;
  if (typeof value === 'string') return maskedMember(name, value, budget);
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
  // Not by assignment, which would make the member `__proto__` the prototype.
  const shown: [string, unknown][] = [];
  for (const [member, inner] of Object.entries(value)) {
    if (budget.nodes <= 0) {
      shown.push(['…', '…']);
      break;
    }
    if (inner === undefined) continue;
    shown.push([maskSecretsInText(member, budget), maskedValue(inner, member, depth + 1, budget)]);
  }
  return Object.fromEntries(shown);
}

function maskedMember(name: string, text: string, limits: TextLimits): string {
  const kind = secretKindOf(name);
  if (kind === 'secret') return HIDDEN;
  const digits = kind === 'cardNumber' ? digitsOfCardMember(text) : undefined;
  if (digits !== undefined) return cardNumber(digits);
  return maskSecretsInText(kind === 'keys' ? hideKeys(text) : text, limits);
}

// Timestamps have as many digits as a card number; in milliseconds 13.
const TIME = /(Ms|Timestamp)$/;
const LATEST_TIME_MS = 1e13;

function maskedNumber(name: string, value: number): unknown {
  if (secretKindOf(name) === 'keys') return hideKeys(String(value));
  if (isSecretNumber(name, value)) return secretKindOf(name) ? HIDDEN : cardNumber(digitsOfNumber(value));
  if (Math.abs(value) < 1e12 || (TIME.test(name) && value < LATEST_TIME_MS)) return value;
  // Of a larger integer the last digits are lost, so that its check digit shows nothing.
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER && Math.abs(value) < 1e19) return HIDDEN;
  const digits = digitsOfNumber(value);
  return isCardNumber(digits) ? cardNumber(digits) : value;
}

const digitsOfNumber = (value: number) => Math.trunc(Math.abs(value)).toFixed(0);

/** Returns a text without the secrets and card numbers in it. */
export function maskSecretsInText(text: string, limits: TextLimits = LIMITS): string {
  return maskedAndCut(text, limits.characters, (whole) => {
    const shown = hideKnown(whole, limits.known);
    // Most texts hold no secret, which one search shows.
    if (!SUSPECT.test(shown) && !hasLongDigitRun(shown)) return shown;
    let masked = hideUrlSecrets(shown, { userInfo: () => HIDDEN, query: () => HIDDEN });
    for (const [secret, instead] of SECRETS) masked = masked.replace(secret, instead);
    return replaceCardNumbersBesideIds(masked, cardNumber);
  });
}

function hideKnown(text: string, known: readonly string[] = []): string {
  return known.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}

/** Masks the part of a text that is shown, and what a secret at the cut may have after it. */
function maskedAndCut(text: string, charactersMax: number, mask: (text: string) => string): string {
  if (text.length <= charactersMax) return mask(text);
  const read = text.slice(0, charactersMax + READ_BEYOND);
  const masked = mask(read);
  // What is masked is shorter, and a secret at the end of what was looked at is not recognised.
  const end = read.length < text.length ? masked.length - READ_BEYOND : masked.length;
  return `${masked.slice(0, Math.max(0, Math.min(charactersMax, end)))}…`;
}

const SUSPECT = /:\/\/|[sp]k_|_secret_|whs_|dash_/i;

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

/**
 * Returns a text without the secrets and card numbers in it, which may be JSON that is cut off or mistaken, or a form. Hides
 * what has the name of a secret there too.
 */
export function maskSecretsInContent(text: string, limits: TextLimits = LIMITS): string {
  const unlimited = { ...limits, characters: Infinity };
  return maskedAndCut(text, limits.characters, (shown) =>
    maskMembersInText(shown, (name, part) => maskedMember(name, part, unlimited)),
  );
}
